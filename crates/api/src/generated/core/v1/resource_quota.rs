// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ResourceQuotaSpec;
use super::ResourceQuotaStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`ResourceQuota`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequota-v1-core) of `core/v1`. Served as `resourcequotas`, namespaced. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct ResourceQuota {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequota-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequota-v1-core): optional. The desired state.
    pub spec: ResourceQuotaSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#resourcequota-v1-core): optional. The observed state.
    pub status: ResourceQuotaStatus,
}

impl ResourceQuota {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: ResourceQuotaSpec::EMPTY,
        status: ResourceQuotaStatus::EMPTY,
    };
}

client_rs_machinery::message!(ResourceQuota, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ResourceQuota",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "ResourceQuota", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<ResourceQuotaSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ResourceQuotaStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ResourceQuota {
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

client_rs_machinery::object!(ResourceQuota, "v1", "ResourceQuota");

impl client_rs_machinery::Resource for ResourceQuota {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "ResourceQuota",
        plural: "resourcequotas",
        singular: "resourcequota",
        namespaced: true,
        short_names: &["quota"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "",
            version: "v1",
            kind: "ResourceQuota",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(ResourceQuota: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
