// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TopologySelectorLabelRequirement;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`TopologySelectorTerm`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TopologySelectorTerm {
    /// [`matchLabelExpressions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorterm-v1-core): optional. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.match_label_expressions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.match_label_expressions),
            _ => FieldMut::NONE,
        }
    }
}
