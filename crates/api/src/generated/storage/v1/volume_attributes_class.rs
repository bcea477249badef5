// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use client_rs_machinery::{Map, Str};

/// [`VolumeAttributesClass`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattributesclass-v1-storage-k8s-io) of `storage.k8s.io/v1`. Served as `volumeattributesclasses`, cluster-scoped. Since 1.34.
#[derive(Clone, PartialEq)]
pub struct VolumeAttributesClass {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattributesclass-v1-storage-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`driverName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattributesclass-v1-storage-k8s-io): required, immutable.
    pub driver_name: Str,
    /// [`parameters`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattributesclass-v1-storage-k8s-io): optional.
    pub parameters: Map<Str>,
}

impl VolumeAttributesClass {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, driver_name: Str::EMPTY, parameters: Map::EMPTY };
}

client_rs_machinery::message!(VolumeAttributesClass, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeAttributesClass",
    type_meta: Some(TypeMeta {
        api_version: "storage.k8s.io/v1",
        kind: "VolumeAttributesClass",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("driverName", Flags::NONE),
        Field::new("parameters", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for VolumeAttributesClass {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::value(&self.driver_name),
            2 => FieldRef::value(&self.parameters),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::value(&mut self.driver_name),
            2 => FieldMut::value(&mut self.parameters),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(VolumeAttributesClass, "storage.k8s.io/v1", "VolumeAttributesClass");

impl client_rs_machinery::Resource for VolumeAttributesClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storage.k8s.io",
        version: "v1",
        kind: "VolumeAttributesClass",
        plural: "volumeattributesclasses",
        singular: "volumeattributesclass",
        namespaced: false,
        short_names: &["vac"],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(VolumeAttributesClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
