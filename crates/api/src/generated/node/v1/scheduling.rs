// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::Toleration;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Str};

/// [`Scheduling`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scheduling-v1-node-k8s-io) of `node.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Scheduling {
    /// [`nodeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scheduling-v1-node-k8s-io): optional. Apply replaces the whole value.
    pub node_selector: Map<Str>,
    /// [`tolerations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scheduling-v1-node-k8s-io): optional. Apply replaces the list.
    pub tolerations: List<Toleration>,
}

impl Scheduling {
    /// Every field empty.
    pub const EMPTY: Self = Self { node_selector: Map::EMPTY, tolerations: List::EMPTY };
}

client_rs_machinery::message!(Scheduling, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Scheduling",
    type_meta: None,
    fields: &[
        Field::new("nodeSelector", Flags::OMIT_EMPTY),
        Field::new("tolerations", Flags::OMIT_EMPTY).of::<Toleration>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Scheduling {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.node_selector),
            1 => FieldRef::list(&self.tolerations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.node_selector),
            1 => FieldMut::list(&mut self.tolerations),
            _ => FieldMut::NONE,
        }
    }
}
