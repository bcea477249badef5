// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APISubresourceDiscovery;
use client_rs_machinery::meta::v1::GroupVersionKind;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// `APIResourceDiscovery` of `apidiscovery.k8s.io/v2beta1`.
#[derive(Clone, PartialEq)]
pub struct APIResourceDiscovery {
    /// `resource`: optional.
    pub resource: Str,
    /// `responseKind`: optional.
    pub response_kind: Option<Shared<GroupVersionKind>>,
    /// `scope`: optional. Known values: `Cluster`, `Namespaced`.
    pub scope: Str,
    /// `singularResource`: optional.
    pub singular_resource: Str,
    /// `verbs`: optional. Apply merges entries.
    pub verbs: List<Str>,
    /// `shortNames`: optional. Apply merges entries.
    pub short_names: List<Str>,
    /// `categories`: optional. Apply merges entries.
    pub categories: List<Str>,
    /// `subresources`: optional. Apply merges entries by `subresource`.
    pub subresources: List<APISubresourceDiscovery>,
}

impl APIResourceDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        resource: Str::EMPTY,
        response_kind: None,
        scope: Str::EMPTY,
        singular_resource: Str::EMPTY,
        verbs: List::EMPTY,
        short_names: List::EMPTY,
        categories: List::EMPTY,
        subresources: List::EMPTY,
    };
}

client_rs_machinery::message!(APIResourceDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIResourceDiscovery",
    type_meta: None,
    fields: &[
        Field::new("resource", Flags::NONE),
        Field::new("responseKind", Flags::OMIT_EMPTY).of::<GroupVersionKind>(),
        Field::new("scope", Flags::NONE),
        Field::new("singularResource", Flags::NONE),
        Field::new("verbs", Flags::NONE),
        Field::new("shortNames", Flags::OMIT_EMPTY),
        Field::new("categories", Flags::OMIT_EMPTY),
        Field::new("subresources", Flags::OMIT_EMPTY).of::<APISubresourceDiscovery>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for APIResourceDiscovery {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.resource),
            1 => FieldRef::optional(&self.response_kind),
            2 => FieldRef::value(&self.scope),
            3 => FieldRef::value(&self.singular_resource),
            4 => FieldRef::value(&self.verbs),
            5 => FieldRef::value(&self.short_names),
            6 => FieldRef::value(&self.categories),
            7 => FieldRef::list(&self.subresources),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.resource),
            1 => FieldMut::optional(&mut self.response_kind),
            2 => FieldMut::value(&mut self.scope),
            3 => FieldMut::value(&mut self.singular_resource),
            4 => FieldMut::value(&mut self.verbs),
            5 => FieldMut::value(&mut self.short_names),
            6 => FieldMut::value(&mut self.categories),
            7 => FieldMut::list(&mut self.subresources),
            _ => FieldMut::NONE,
        }
    }
}
