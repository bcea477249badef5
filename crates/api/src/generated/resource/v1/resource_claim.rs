// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourceClaimSpec;
use super::ResourceClaimStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ResourceClaim`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-resource-k8s-io) of `resource.k8s.io/v1`. Served as `resourceclaims`, namespaced. Since 1.34.
#[derive(Clone, PartialEq)]
pub struct ResourceClaim {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-resource-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-resource-k8s-io): optional, immutable. The desired state.
    pub spec: ResourceClaimSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourceclaim-v1-resource-k8s-io): optional. The observed state.
    pub status: ResourceClaimStatus,
}

impl ResourceClaim {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: ResourceClaimSpec::EMPTY,
        status: ResourceClaimStatus::EMPTY,
    };
}

client_rs_machinery::message!(ResourceClaim, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceClaim",
    type_meta: Some(TypeMeta { api_version: "resource.k8s.io/v1", kind: "ResourceClaim", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<ResourceClaimSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ResourceClaimStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceClaim {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ResourceClaim, "resource.k8s.io/v1", "ResourceClaim");

impl client_rs_machinery::Resource for ResourceClaim {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "resource.k8s.io",
        version: "v1",
        kind: "ResourceClaim",
        plural: "resourceclaims",
        singular: "resourceclaim",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "resource.k8s.io",
            version: "v1",
            kind: "ResourceClaim",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(ResourceClaim: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
