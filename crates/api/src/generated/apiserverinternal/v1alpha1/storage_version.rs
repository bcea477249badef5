// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StorageVersionSpec;
use super::StorageVersionStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`StorageVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversion-v1alpha1-internal-apiserver-k8s-io) of `internal.apiserver.k8s.io/v1alpha1`. Served as `storageversions`, cluster-scoped. Since 1.20.
#[derive(Clone, PartialEq)]
pub struct StorageVersion {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversion-v1alpha1-internal-apiserver-k8s-io): required. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversion-v1alpha1-internal-apiserver-k8s-io): optional. The desired state.
    pub spec: StorageVersionSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversion-v1alpha1-internal-apiserver-k8s-io): optional. The observed state.
    pub status: StorageVersionStatus,
}

impl StorageVersion {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: StorageVersionSpec::EMPTY,
        status: StorageVersionStatus::EMPTY,
    };
}

client_rs_machinery::message!(StorageVersion, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersion",
    type_meta: Some(TypeMeta {
        api_version: "internal.apiserver.k8s.io/v1alpha1",
        kind: "StorageVersion",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<StorageVersionSpec>(),
        Field::new("status", Flags::NONE).of::<StorageVersionStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for StorageVersion {
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

client_rs_machinery::object!(StorageVersion, "internal.apiserver.k8s.io/v1alpha1", "StorageVersion");

impl client_rs_machinery::Resource for StorageVersion {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "internal.apiserver.k8s.io",
        version: "v1alpha1",
        kind: "StorageVersion",
        plural: "storageversions",
        singular: "storageversion",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "internal.apiserver.k8s.io",
            version: "v1alpha1",
            kind: "StorageVersion",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(StorageVersion: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
