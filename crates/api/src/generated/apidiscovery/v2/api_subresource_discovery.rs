// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::GroupVersionKind;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// `APISubresourceDiscovery` of `apidiscovery.k8s.io/v2`.
#[derive(Clone, PartialEq)]
pub struct APISubresourceDiscovery {
    /// `subresource`: optional.
    pub subresource: Str,
    /// `responseKind`: optional.
    pub response_kind: Option<Shared<GroupVersionKind>>,
    /// `acceptedTypes`: optional. Apply merges entries by `group`, `version`, `kind`.
    pub accepted_types: List<GroupVersionKind>,
    /// `verbs`: optional. Apply merges entries.
    pub verbs: List<Str>,
}

impl APISubresourceDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        subresource: Str::EMPTY,
        response_kind: None,
        accepted_types: List::EMPTY,
        verbs: List::EMPTY,
    };
}

client_rs_machinery::message!(APISubresourceDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APISubresourceDiscovery",
    type_meta: None,
    fields: &[
        Field::new("subresource", Flags::NONE),
        Field::new("responseKind", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("acceptedTypes", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("verbs", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for APISubresourceDiscovery {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.subresource),
            1 => FieldRef::optional(&self.response_kind),
            2 => FieldRef::list(&self.accepted_types),
            3 => FieldRef::value(&self.verbs),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.subresource),
            1 => FieldMut::optional(&mut self.response_kind),
            2 => FieldMut::list(&mut self.accepted_types),
            3 => FieldMut::value(&mut self.verbs),
            _ => FieldMut::NONE,
        }
    }
}
