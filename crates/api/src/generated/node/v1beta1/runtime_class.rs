// Made by `cargo xtask codegen` from schema: change those, not this.
use super::Overhead;
use super::Scheduling;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Shared, Str};

/// `RuntimeClass` of `node.k8s.io/v1beta1`. Since 1.13. Deprecated since 1.22.
#[derive(Clone, PartialEq)]
pub struct RuntimeClass {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `handler`: required, immutable. A DNS label.
    pub handler: Str,
    /// `overhead`: optional.
    pub overhead: Option<Shared<Overhead>>,
    /// `scheduling`: optional.
    pub scheduling: Option<Shared<Scheduling>>,
}

impl RuntimeClass {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, handler: Str::EMPTY, overhead: None, scheduling: None };
}

client_rs_machinery::message!(RuntimeClass, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RuntimeClass",
    type_meta: Some(TypeMeta { api_version: "node.k8s.io/v1beta1", kind: "RuntimeClass", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("handler", Flags::NONE),
        Field::new("overhead", Flags::OMIT_EMPTY).of::<Overhead>(),
        Field::new("scheduling", Flags::OMIT_EMPTY).of::<Scheduling>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for RuntimeClass {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.handler),
            2 => FieldRef::optional(&self.overhead),
            3 => FieldRef::optional(&self.scheduling),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.handler),
            2 => FieldMut::optional(&mut self.overhead),
            3 => FieldMut::optional(&mut self.scheduling),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(RuntimeClass, "node.k8s.io/v1beta1", "RuntimeClass");

impl client_rs_machinery::Resource for RuntimeClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "node.k8s.io",
        version: "v1beta1",
        kind: "RuntimeClass",
        plural: "runtimeclasses",
        singular: "runtimeclass",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(RuntimeClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
