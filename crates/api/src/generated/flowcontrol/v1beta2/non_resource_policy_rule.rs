// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `NonResourcePolicyRule` of `flowcontrol.apiserver.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct NonResourcePolicyRule {
    /// `verbs`: required. Apply merges entries.
    pub verbs: List<Str>,
    /// `nonResourceURLs`: required. Apply merges entries.
    pub non_resource_urls: List<Str>,
}

impl NonResourcePolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { verbs: List::EMPTY, non_resource_urls: List::EMPTY };
}

client_rs_machinery::message!(NonResourcePolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NonResourcePolicyRule",
    type_meta: None,
    fields: &[Field::new("verbs", Flags::NONE), Field::new("nonResourceURLs", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(6, 1)],
};

impl Fields for NonResourcePolicyRule {
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
