// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelectorTerm;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSelector {
    /// [`nodeSelectorTerms`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselector-v1-core): required. Apply replaces the list.
    pub node_selector_terms: List<NodeSelectorTerm>,
}

impl NodeSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { node_selector_terms: List::EMPTY };
}

client_rs_machinery::message!(NodeSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSelector",
    type_meta: None,
    fields: &[Field::new("nodeSelectorTerms", Flags::NONE).of::<NodeSelectorTerm>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NodeSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.node_selector_terms),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.node_selector_terms),
            _ => FieldMut::NONE,
        }
    }
}
