// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LabelSelectorRequirement;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use crate::{List, Map, Str};

/// [LabelSelector](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselector-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LabelSelector {
    pub match_labels: Map<Str>,
    pub match_expressions: List<LabelSelectorRequirement>,
}

impl LabelSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { match_labels: Map::EMPTY, match_expressions: List::EMPTY };
}

crate::message!(LabelSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LabelSelector",
    type_meta: None,
    fields: &[
        Field::new("matchLabels", Flags::OMIT_EMPTY),
        Field::new("matchExpressions", Flags::OMIT_EMPTY).of::<LabelSelectorRequirement>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for LabelSelector {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.match_labels,
            1 => &self.match_expressions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.match_labels,
            1 => &mut self.match_expressions,
            _ => return None,
        })
    }
}
