// Made by `cargo xtask codegen` from schema: change those, not this.
use super::APIServiceSpec;
use super::APIServiceStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`APIService`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservice-v1-apiregistration-k8s-io) of `apiregistration.k8s.io/v1`. Served as `apiservices`, cluster-scoped. Since 1.10.
#[derive(Clone, PartialEq)]
pub struct APIService {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservice-v1-apiregistration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservice-v1-apiregistration-k8s-io): optional. The desired state.
    pub spec: Shared<APIServiceSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#apiservice-v1-apiregistration-k8s-io): optional. The observed state.
    pub status: APIServiceStatus,
}

impl APIService {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: APIServiceStatus::EMPTY };
}

client_rs_machinery::message!(APIService, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "APIService",
    type_meta: Some(TypeMeta {
        api_version: "apiregistration.k8s.io/v1",
        kind: "APIService",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<APIServiceSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<APIServiceStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for APIService {
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

client_rs_machinery::object!(APIService, "apiregistration.k8s.io/v1", "APIService");

impl client_rs_machinery::Resource for APIService {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "apiregistration.k8s.io",
        version: "v1",
        kind: "APIService",
        plural: "apiservices",
        singular: "apiservice",
        namespaced: false,
        short_names: &[],
        categories: &["api-extensions"],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "apiregistration.k8s.io",
            version: "v1",
            kind: "APIService",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(APIService: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
