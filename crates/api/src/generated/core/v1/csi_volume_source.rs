// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LocalObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [`CSIVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csivolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct CSIVolumeSource {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csivolumesource-v1-core): required.
    pub driver: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csivolumesource-v1-core): optional. Defaults to `false`.
    pub read_only: Option<bool>,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csivolumesource-v1-core): optional.
    pub fs_type: Option<Str>,
    /// [`volumeAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csivolumesource-v1-core): optional.
    pub volume_attributes: Map<Str>,
    /// [`nodePublishSecretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csivolumesource-v1-core): optional.
    pub node_publish_secret_ref: Option<Shared<LocalObjectReference>>,
}

impl CSIVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        read_only: None,
        fs_type: None,
        volume_attributes: Map::EMPTY,
        node_publish_secret_ref: None,
    };
}

client_rs_machinery::message!(CSIVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSIVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("volumeAttributes", Flags::OMIT_EMPTY),
        Field::new("nodePublishSecretRef", Flags::OMIT_EMPTY).of::<LocalObjectReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for CSIVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.read_only),
            2 => FieldRef::value(&self.fs_type),
            3 => FieldRef::value(&self.volume_attributes),
            4 => FieldRef::optional(&self.node_publish_secret_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.read_only),
            2 => FieldMut::value(&mut self.fs_type),
            3 => FieldMut::value(&mut self.volume_attributes),
            4 => FieldMut::optional(&mut self.node_publish_secret_ref),
            _ => FieldMut::NONE,
        }
    }
}
