// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Quantity, Shared, Str};

/// [`CSIStorageCapacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csistoragecapacity-v1-storage-k8s-io) of `storage.k8s.io/v1`. Served as `csistoragecapacities`, namespaced. Since 1.24.
#[derive(Clone, PartialEq)]
pub struct CSIStorageCapacity {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csistoragecapacity-v1-storage-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`nodeTopology`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csistoragecapacity-v1-storage-k8s-io): optional, immutable.
    pub node_topology: Option<Shared<LabelSelector>>,
    /// [`storageClassName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csistoragecapacity-v1-storage-k8s-io): required, immutable.
    pub storage_class_name: Str,
    /// [`capacity`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csistoragecapacity-v1-storage-k8s-io): optional.
    pub capacity: Option<Quantity>,
    /// [`maximumVolumeSize`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csistoragecapacity-v1-storage-k8s-io): optional.
    pub maximum_volume_size: Option<Quantity>,
}

impl CSIStorageCapacity {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        node_topology: None,
        storage_class_name: Str::EMPTY,
        capacity: None,
        maximum_volume_size: None,
    };
}

client_rs_machinery::message!(CSIStorageCapacity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSIStorageCapacity",
    type_meta: Some(TypeMeta {
        api_version: "storage.k8s.io/v1",
        kind: "CSIStorageCapacity",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("nodeTopology", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("storageClassName", Flags::NONE),
        Field::new("capacity", Flags::OMIT_EMPTY),
        Field::new("maximumVolumeSize", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for CSIStorageCapacity {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::optional(&self.node_topology),
            2 => FieldRef::value(&self.storage_class_name),
            3 => FieldRef::value(&self.capacity),
            4 => FieldRef::value(&self.maximum_volume_size),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::optional(&mut self.node_topology),
            2 => FieldMut::value(&mut self.storage_class_name),
            3 => FieldMut::value(&mut self.capacity),
            4 => FieldMut::value(&mut self.maximum_volume_size),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(CSIStorageCapacity, "storage.k8s.io/v1", "CSIStorageCapacity");

impl client_rs_machinery::Resource for CSIStorageCapacity {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storage.k8s.io",
        version: "v1",
        kind: "CSIStorageCapacity",
        plural: "csistoragecapacities",
        singular: "csistoragecapacity",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(CSIStorageCapacity: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
