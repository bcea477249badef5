// Made by `cargo xtask codegen` from schema: change those, not this.
use super::BasicDevice;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`Device`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct Device {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta1-resource-k8s-io): required.
    pub name: Str,
    /// [`basic`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#device-v1beta1-resource-k8s-io): optional.
    pub basic: Option<Shared<BasicDevice>>,
}

impl Device {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, basic: None };
}

client_rs_machinery::message!(Device, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Device",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("basic", Flags::OMIT_EMPTY).of::<BasicDevice>()],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Device {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::optional(&self.basic),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::optional(&mut self.basic),
            _ => FieldMut::NONE,
        }
    }
}
