// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `NonResourceRule` of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NonResourceRule {
    /// `verbs`: optional. Apply replaces the list.
    pub verbs: List<Str>,
    /// `nonResourceURLs`: optional. Apply replaces the list.
    pub non_resource_urls: List<Str>,
}

impl NonResourceRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { verbs: List::EMPTY, non_resource_urls: List::EMPTY };
}

client_rs_machinery::message!(NonResourceRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NonResourceRule",
    type_meta: None,
    fields: &[Field::new("verbs", Flags::NONE), Field::new("nonResourceURLs", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NonResourceRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.verbs),
            1 => FieldRef::value(&self.non_resource_urls),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.verbs),
            1 => FieldMut::value(&mut self.non_resource_urls),
            _ => FieldMut::NONE,
        }
    }
}
