// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CELDeviceSelector;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceselector-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct DeviceSelector {
    /// [`cel`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deviceselector-v1-resource-k8s-io): optional.
    pub cel: Option<Shared<CELDeviceSelector>>,
}

impl DeviceSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { cel: None };
}

client_rs_machinery::message!(DeviceSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceSelector",
    type_meta: None,
    fields: &[Field::new("cel", Flags::OMIT_EMPTY).of::<CELDeviceSelector>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for DeviceSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.cel),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.cel),
            _ => FieldMut::NONE,
        }
    }
}
