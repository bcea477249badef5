// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::TopologySelectorTerm;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{List, Map, Str};

/// [`StorageClass`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io) of `storage.k8s.io/v1`. Served as `storageclasses`, cluster-scoped. Since 1.6.
#[derive(Clone, PartialEq)]
pub struct StorageClass {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`provisioner`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): required, immutable.
    pub provisioner: Str,
    /// [`parameters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional, immutable.
    pub parameters: Map<Str>,
    /// [`reclaimPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional, immutable. One of `Delete`, `Recycle`, `Retain`. Defaults to `Delete`.
    pub reclaim_policy: Option<Str>,
    /// [`mountOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional. Apply replaces the list.
    pub mount_options: List<Str>,
    /// [`allowVolumeExpansion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional.
    pub allow_volume_expansion: Option<bool>,
    /// [`volumeBindingMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional, immutable. One of `Immediate`, `WaitForFirstConsumer`.
    pub volume_binding_mode: Option<Str>,
    /// [`allowedTopologies`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageclass-v1-storage-k8s-io): optional. Apply replaces the list.
    pub allowed_topologies: List<TopologySelectorTerm>,
}

impl StorageClass {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        provisioner: Str::EMPTY,
        parameters: Map::EMPTY,
        reclaim_policy: None,
        mount_options: List::EMPTY,
        allow_volume_expansion: None,
        volume_binding_mode: None,
        allowed_topologies: List::EMPTY,
    };
}

client_rs_machinery::message!(StorageClass, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageClass",
    type_meta: Some(TypeMeta { api_version: "storage.k8s.io/v1", kind: "StorageClass", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("provisioner", Flags::NONE),
        Field::new("parameters", Flags::OMIT_EMPTY),
        Field::new("reclaimPolicy", Flags::OMIT_EMPTY),
        Field::new("mountOptions", Flags::OMIT_EMPTY),
        Field::new("allowVolumeExpansion", Flags::OMIT_EMPTY),
        Field::new("volumeBindingMode", Flags::OMIT_EMPTY),
        Field::new("allowedTopologies", Flags::OMIT_EMPTY).of::<TopologySelectorTerm>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for StorageClass {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.provisioner),
            2 => FieldRef::value(&self.parameters),
            3 => FieldRef::value(&self.reclaim_policy),
            4 => FieldRef::value(&self.mount_options),
            5 => FieldRef::value(&self.allow_volume_expansion),
            6 => FieldRef::value(&self.volume_binding_mode),
            7 => FieldRef::list(&self.allowed_topologies),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.provisioner),
            2 => FieldMut::value(&mut self.parameters),
            3 => FieldMut::value(&mut self.reclaim_policy),
            4 => FieldMut::value(&mut self.mount_options),
            5 => FieldMut::value(&mut self.allow_volume_expansion),
            6 => FieldMut::value(&mut self.volume_binding_mode),
            7 => FieldMut::list(&mut self.allowed_topologies),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(StorageClass, "storage.k8s.io/v1", "StorageClass");

impl client_rs_machinery::Resource for StorageClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storage.k8s.io",
        version: "v1",
        kind: "StorageClass",
        plural: "storageclasses",
        singular: "storageclass",
        namespaced: false,
        short_names: &["sc"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(StorageClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
