// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelectorRequirement;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeSelectorTerm`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSelectorTerm {
    /// [`matchExpressions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorterm-v1-core): optional. Apply replaces the list.
    pub match_expressions: List<NodeSelectorRequirement>,
    /// [`matchFields`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorterm-v1-core): optional. Apply replaces the list.
    pub match_fields: List<NodeSelectorRequirement>,
}

impl NodeSelectorTerm {
    /// Every field empty.
    pub const EMPTY: Self = Self { match_expressions: List::EMPTY, match_fields: List::EMPTY };
}

client_rs_machinery::message!(NodeSelectorTerm, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSelectorTerm",
    type_meta: None,
    fields: &[
        Field::new("matchExpressions", Flags::OMIT_EMPTY).of::<NodeSelectorRequirement>(),
        Field::new("matchFields", Flags::OMIT_EMPTY).of::<NodeSelectorRequirement>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeSelectorTerm {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.match_expressions),
            1 => FieldRef::list(&self.match_fields),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.match_expressions),
            1 => FieldMut::list(&mut self.match_fields),
            _ => FieldMut::NONE,
        }
    }
}
