// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Str, StringList};

/// [`APIResource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct APIResource {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): required.
    pub name: Str,
    /// [`singularName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): required.
    pub singular_name: Str,
    /// [`namespaced`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): required.
    pub namespaced: bool,
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): optional.
    pub group: Str,
    /// [`version`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): optional.
    pub version: Str,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): required.
    pub kind: Str,
    /// [`verbs`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): required.
    pub verbs: StringList,
    /// [`shortNames`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): optional. Apply replaces the list.
    pub short_names: List<Str>,
    /// [`categories`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): optional. Apply replaces the list.
    pub categories: List<Str>,
    /// [`storageVersionHash`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiresource-v1-meta): optional.
    pub storage_version_hash: Str,
}

impl APIResource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        singular_name: Str::EMPTY,
        namespaced: false,
        group: Str::EMPTY,
        version: Str::EMPTY,
        kind: Str::EMPTY,
        verbs: StringList::EMPTY,
        short_names: List::EMPTY,
        categories: List::EMPTY,
        storage_version_hash: Str::EMPTY,
    };
}

crate::message!(APIResource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIResource",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("singularName", Flags::NONE),
        Field::new("namespaced", Flags::NONE),
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("version", Flags::OMIT_EMPTY),
        Field::new("kind", Flags::NONE),
        Field::new("verbs", Flags::NONE),
        Field::new("shortNames", Flags::OMIT_EMPTY),
        Field::new("categories", Flags::OMIT_EMPTY),
        Field::new("storageVersionHash", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::field(3, 5),
        Wire::field(4, 6),
        Wire::field(5, 7),
        Wire::field(6, 1),
        Wire::field(7, 8),
        Wire::field(8, 3),
        Wire::field(9, 4),
        Wire::field(10, 9),
    ],
};

impl Fields for APIResource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.singular_name),
            2 => FieldRef::value(&self.namespaced),
            3 => FieldRef::value(&self.group),
            4 => FieldRef::value(&self.version),
            5 => FieldRef::value(&self.kind),
            6 => FieldRef::value(&self.verbs),
            7 => FieldRef::value(&self.short_names),
            8 => FieldRef::value(&self.categories),
            9 => FieldRef::value(&self.storage_version_hash),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.singular_name),
            2 => FieldMut::value(&mut self.namespaced),
            3 => FieldMut::value(&mut self.group),
            4 => FieldMut::value(&mut self.version),
            5 => FieldMut::value(&mut self.kind),
            6 => FieldMut::value(&mut self.verbs),
            7 => FieldMut::value(&mut self.short_names),
            8 => FieldMut::value(&mut self.categories),
            9 => FieldMut::value(&mut self.storage_version_hash),
            _ => FieldMut::NONE,
        }
    }
}
