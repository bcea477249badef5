// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EndpointSubset;
use client_rs_machinery::List;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`Endpoints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpoints-v1-core) of `core/v1`. Served as `endpoints`, namespaced. Since 1.0. Deprecated.
#[derive(Clone, PartialEq)]
pub struct Endpoints {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpoints-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`subsets`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpoints-v1-core): optional. Apply replaces the list.
    pub subsets: List<EndpointSubset>,
}

impl Endpoints {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, subsets: List::EMPTY };
}

client_rs_machinery::message!(Endpoints, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Endpoints",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "Endpoints", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("subsets", Flags::OMIT_EMPTY).of::<EndpointSubset>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Endpoints {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::list(&self.subsets),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::list(&mut self.subsets),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(Endpoints, "v1", "Endpoints");

impl client_rs_machinery::Resource for Endpoints {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "Endpoints",
        plural: "endpoints",
        singular: "endpoints",
        namespaced: true,
        short_names: &["ep"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(Endpoints: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
