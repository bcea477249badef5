// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`CELDeviceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#celdeviceselector-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`.
#[derive(Clone, PartialEq)]
pub struct CELDeviceSelector {
    /// [`expression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#celdeviceselector-v1alpha3-resource-k8s-io): optional.
    pub expression: Str,
}

impl CELDeviceSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { expression: Str::EMPTY };
}

client_rs_machinery::message!(CELDeviceSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CELDeviceSelector",
    type_meta: None,
    fields: &[Field::new("expression", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CELDeviceSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.expression),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.expression),
            _ => FieldMut::NONE,
        }
    }
}
