// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelectorRequirement;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [NodeSelectorTerm](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeselectorterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSelectorTerm {
    pub match_expressions: List<NodeSelectorRequirement>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.match_expressions,
            1 => &self.match_fields,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.match_expressions,
            1 => &mut self.match_fields,
            _ => return None,
        })
    }
}
