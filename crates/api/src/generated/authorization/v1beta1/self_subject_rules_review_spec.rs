// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `SelfSubjectRulesReviewSpec` of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectRulesReviewSpec {
    /// `namespace`: optional.
    pub namespace: Str,
}

impl SelfSubjectRulesReviewSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { namespace: Str::EMPTY };
}

client_rs_machinery::message!(SelfSubjectRulesReviewSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelfSubjectRulesReviewSpec",
    type_meta: None,
    fields: &[Field::new("namespace", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SelfSubjectRulesReviewSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.namespace),
            _ => FieldMut::NONE,
        }
    }
}
