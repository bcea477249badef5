// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Quantity;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Counter`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#counter-v1beta1-resource-k8s-io) of `resource.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct Counter {
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#counter-v1beta1-resource-k8s-io): required.
    pub value: Quantity,
}

impl Counter {
    /// Every field empty.
    pub const EMPTY: Self = Self { value: Quantity::ZERO };
}

client_rs_machinery::message!(Counter, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Counter",
    type_meta: None,
    fields: &[Field::new("value", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for Counter {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.value),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.value),
            _ => FieldMut::NONE,
        }
    }
}
