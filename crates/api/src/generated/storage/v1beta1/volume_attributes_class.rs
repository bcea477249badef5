// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, TypeMeta, Value, Wire};
use client_rs_machinery::{Map, Str};

/// [VolumeAttributesClass](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeattributesclass-v1beta1-storage-k8s-io) of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct VolumeAttributesClass {
    pub metadata: ObjectMeta,
    pub driver_name: Str,
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
        api_version: "storage.k8s.io/v1beta1",
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.metadata,
            1 => &self.driver_name,
            2 => &self.parameters,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.metadata,
            1 => &mut self.driver_name,
            2 => &mut self.parameters,
            _ => return None,
        })
    }
}

client_rs_machinery::object!(VolumeAttributesClass, "storage.k8s.io/v1beta1", "VolumeAttributesClass");

impl client_rs_machinery::Resource for VolumeAttributesClass {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "storage.k8s.io",
        version: "v1beta1",
        kind: "VolumeAttributesClass",
        plural: "volumeattributesclasses",
        singular: "volumeattributesclass",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(VolumeAttributesClass: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);
