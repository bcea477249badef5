// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LabelSelectorRequirement;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Map, Str};

/// [`LabelSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselector-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LabelSelector {
    /// [`matchLabels`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselector-v1-meta): optional.
    pub match_labels: Map<Str>,
    /// [`matchExpressions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#labelselector-v1-meta): optional. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.match_labels),
            1 => FieldRef::list(&self.match_expressions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.match_labels),
            1 => FieldMut::list(&mut self.match_expressions),
            _ => FieldMut::NONE,
        }
    }
}
