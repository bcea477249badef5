// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourcePoolStatusRequestSpec;
use super::ResourcePoolStatusRequestStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ResourcePoolStatusRequest`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequest-v1alpha3-resource-k8s-io) of `resource.k8s.io/v1alpha3`. Served as `resourcepoolstatusrequests`, cluster-scoped. Since 1.36.
#[derive(Clone, PartialEq)]
pub struct ResourcePoolStatusRequest {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequest-v1alpha3-resource-k8s-io): required. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequest-v1alpha3-resource-k8s-io): required, immutable. The desired state.
    pub spec: ResourcePoolStatusRequestSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcepoolstatusrequest-v1alpha3-resource-k8s-io): optional. The observed state.
    pub status: Option<Shared<ResourcePoolStatusRequestStatus>>,
}

impl ResourcePoolStatusRequest {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: ResourcePoolStatusRequestSpec::EMPTY, status: None };
}

client_rs_machinery::message!(ResourcePoolStatusRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourcePoolStatusRequest",
    type_meta: Some(TypeMeta {
        api_version: "resource.k8s.io/v1alpha3",
        kind: "ResourcePoolStatusRequest",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<ResourcePoolStatusRequestSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ResourcePoolStatusRequestStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourcePoolStatusRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::optional(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::optional(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(
    ResourcePoolStatusRequest,
    "resource.k8s.io/v1alpha3",
    "ResourcePoolStatusRequest"
);

impl client_rs_machinery::Resource for ResourcePoolStatusRequest {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "resource.k8s.io",
        version: "v1alpha3",
        kind: "ResourcePoolStatusRequest",
        plural: "resourcepoolstatusrequests",
        singular: "resourcepoolstatusrequest",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "resource.k8s.io",
            version: "v1alpha3",
            kind: "ResourcePoolStatusRequest",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(ResourcePoolStatusRequest: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
