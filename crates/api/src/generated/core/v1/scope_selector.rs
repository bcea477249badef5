// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ScopedResourceSelectorRequirement;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ScopeSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scopeselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ScopeSelector {
    /// [`matchExpressions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scopeselector-v1-core): optional. Apply replaces the list.
    pub match_expressions: List<ScopedResourceSelectorRequirement>,
}

impl ScopeSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { match_expressions: List::EMPTY };
}

client_rs_machinery::message!(ScopeSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScopeSelector",
    type_meta: None,
    fields: &[Field::new("matchExpressions", Flags::OMIT_EMPTY).of::<ScopedResourceSelectorRequirement>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ScopeSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.match_expressions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.match_expressions),
            _ => FieldMut::NONE,
        }
    }
}
