// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Quantity};

/// [`CapacityRequirements`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequirements-v1beta2-resource-k8s-io) of `resource.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct CapacityRequirements {
    /// [`requests`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#capacityrequirements-v1beta2-resource-k8s-io): optional.
    pub requests: Map<Quantity>,
}

impl CapacityRequirements {
    /// Every field empty.
    pub const EMPTY: Self = Self { requests: Map::EMPTY };
}

client_rs_machinery::message!(CapacityRequirements, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CapacityRequirements",
    type_meta: None,
    fields: &[Field::new("requests", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CapacityRequirements {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.requests),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.requests),
            _ => FieldMut::NONE,
        }
    }
}
