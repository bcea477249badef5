// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIVersionDiscovery;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `APIGroupDiscovery` of `apidiscovery.k8s.io/v2beta1`. Since 1.26. Deprecated since 1.32. Not served since 1.35.
#[derive(Clone, PartialEq)]
pub struct APIGroupDiscovery {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `versions`: optional. Apply merges entries by `version`.
    pub versions: List<APIVersionDiscovery>,
}

impl APIGroupDiscovery {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, versions: List::EMPTY };
}

client_rs_machinery::message!(APIGroupDiscovery, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIGroupDiscovery",
    type_meta: Some(TypeMeta {
        api_version: "apidiscovery.k8s.io/v2beta1",
        kind: "APIGroupDiscovery",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("versions", Flags::OMIT_EMPTY).of::<APIVersionDiscovery>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for APIGroupDiscovery {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.versions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.versions),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(APIGroupDiscovery, "apidiscovery.k8s.io/v2beta1", "APIGroupDiscovery");
