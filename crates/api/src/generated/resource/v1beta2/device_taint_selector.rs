// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DeviceTaintSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintselector-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeviceTaintSelector {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintselector-v1beta2-resource-k8s-io): optional.
    pub driver: Option<Str>,
    /// [`pool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintselector-v1beta2-resource-k8s-io): optional.
    pub pool: Option<Str>,
    /// [`device`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#devicetaintselector-v1beta2-resource-k8s-io): optional.
    pub device: Option<Str>,
}

impl DeviceTaintSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { driver: None, pool: None, device: None };
}

client_rs_machinery::message!(DeviceTaintSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeviceTaintSelector",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::OMIT_EMPTY),
        Field::new("pool", Flags::OMIT_EMPTY),
        Field::new("device", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(2, 0), Wire::field(3, 1), Wire::field(4, 2)],
};

impl Fields for DeviceTaintSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.pool),
            2 => FieldRef::value(&self.device),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.pool),
            2 => FieldMut::value(&mut self.device),
            _ => FieldMut::NONE,
        }
    }
}
