// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StorageVersionMigrationSpec;
use super::StorageVersionMigrationStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`StorageVersionMigration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigration-v1beta1-storagemigration-k8s-io) of `storagemigration.k8s.io/v1beta1`. Served as `storageversionmigrations`, cluster-scoped. Since 1.35. Deprecated since 1.37. Replaced by `StorageVersionMigration` of `storagemigration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionMigration {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigration-v1beta1-storagemigration-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigration-v1beta1-storagemigration-k8s-io): optional. The desired state.
    pub spec: StorageVersionMigrationSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversionmigration-v1beta1-storagemigration-k8s-io): optional. The observed state.
    pub status: StorageVersionMigrationStatus,
}

impl StorageVersionMigration {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: StorageVersionMigrationSpec::EMPTY,
        status: StorageVersionMigrationStatus::EMPTY,
    };
}

client_rs_machinery::message!(StorageVersionMigration, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersionMigration",
    type_meta: Some(TypeMeta {
        api_version: "storagemigration.k8s.io/v1beta1",
        kind: "StorageVersionMigration",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<StorageVersionMigrationSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<StorageVersionMigrationStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for StorageVersionMigration {
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

client_rs_machinery::object!(
    StorageVersionMigration,
    "storagemigration.k8s.io/v1beta1",
    "StorageVersionMigration"
);

impl client_rs_machinery::Resource for StorageVersionMigration {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storagemigration.k8s.io",
        version: "v1beta1",
        kind: "StorageVersionMigration",
        plural: "storageversionmigrations",
        singular: "storageversionmigration",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "storagemigration.k8s.io",
            version: "v1beta1",
            kind: "StorageVersionMigration",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(StorageVersionMigration: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
