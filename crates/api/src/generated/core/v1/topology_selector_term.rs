// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TopologySelectorLabelRequirement;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [TopologySelectorTerm](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TopologySelectorTerm {
    pub match_label_expressions: List<TopologySelectorLabelRequirement>,
}

impl TopologySelectorTerm {
    /// Every field empty.
    pub const EMPTY: Self = Self { match_label_expressions: List::EMPTY };
}

client_rs_machinery::message!(TopologySelectorTerm, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TopologySelectorTerm",
    type_meta: None,
    fields: &[Field::new("matchLabelExpressions", Flags::OMIT_EMPTY).of::<TopologySelectorLabelRequirement>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for TopologySelectorTerm {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.match_label_expressions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.match_label_expressions,
            _ => return None,
        })
    }
}
