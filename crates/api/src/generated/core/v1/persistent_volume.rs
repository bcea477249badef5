// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PersistentVolumeSpec;
use super::PersistentVolumeStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`PersistentVolume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolume-v1-core) of `core/v1`. Served as `persistentvolumes`, cluster-scoped. Since 1.0.
#[derive(Clone, PartialEq)]
pub struct PersistentVolume {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolume-v1-core): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolume-v1-core): optional. The desired state.
    pub spec: Shared<PersistentVolumeSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolume-v1-core): optional, set by the system. The observed state.
    pub status: Shared<PersistentVolumeStatus>,
}

impl PersistentVolume {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: Shared::DEFAULT };
}

client_rs_machinery::message!(PersistentVolume, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolume",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PersistentVolume", everywhere: false }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::OMIT_EMPTY).of::<PersistentVolumeSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<PersistentVolumeStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PersistentVolume {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(PersistentVolume, "v1", "PersistentVolume");

impl client_rs_machinery::Resource for PersistentVolume {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "",
        version: "v1",
        kind: "PersistentVolume",
        plural: "persistentvolumes",
        singular: "persistentvolume",
        namespaced: false,
        short_names: &["pv"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[client_rs_machinery::SubresourceInfo {
            name: "status",
            group: "",
            version: "v1",
            kind: "PersistentVolume",
            verbs: &["get", "patch", "update"],
        }],
    };
}

client_rs_machinery::verbs!(PersistentVolume: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch, Status);
