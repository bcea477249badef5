// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Quantity};

/// [`Overhead`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#overhead-v1-node-k8s-io) of `node.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Overhead {
    /// [`podFixed`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#overhead-v1-node-k8s-io): optional.
    pub pod_fixed: Map<Quantity>,
}

impl Overhead {
    /// Every field empty.
    pub const EMPTY: Self = Self { pod_fixed: Map::EMPTY };
}

client_rs_machinery::message!(Overhead, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Overhead",
    type_meta: None,
    fields: &[Field::new("podFixed", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for Overhead {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.pod_fixed),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.pod_fixed),
            _ => FieldMut::NONE,
        }
    }
}
