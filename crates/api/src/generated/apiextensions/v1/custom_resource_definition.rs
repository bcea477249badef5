// Made by `cargo xtask codegen` from schema: change those, not this.
use super::CustomResourceDefinitionSpec;
use super::CustomResourceDefinitionStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`CustomResourceDefinition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinition-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`. Served as `customresourcedefinitions`, cluster-scoped. Since 1.16.
#[derive(Clone, PartialEq)]
pub struct CustomResourceDefinition {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinition-v1-apiextensions-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinition-v1-apiextensions-k8s-io): required. The desired state.
    pub spec: Shared<CustomResourceDefinitionSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#customresourcedefinition-v1-apiextensions-k8s-io): optional. The observed state.
    pub status: CustomResourceDefinitionStatus,
}

impl CustomResourceDefinition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: Shared::DEFAULT,
        status: CustomResourceDefinitionStatus::EMPTY,
    };
}

client_rs_machinery::message!(CustomResourceDefinition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CustomResourceDefinition",
    type_meta: Some(TypeMeta {
        api_version: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<CustomResourceDefinitionSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<CustomResourceDefinitionStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for CustomResourceDefinition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(CustomResourceDefinition, "apiextensions.k8s.io/v1", "CustomResourceDefinition");

impl client_rs_machinery::Resource for CustomResourceDefinition {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "apiextensions.k8s.io",
        version: "v1",
        kind: "CustomResourceDefinition",
        plural: "customresourcedefinitions",
        singular: "customresourcedefinition",
        namespaced: false,
        short_names: &["crd", "crds"],
        categories: &["api-extensions"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "apiextensions.k8s.io",
            version: "v1",
            kind: "CustomResourceDefinition",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(CustomResourceDefinition: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
