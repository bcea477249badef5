// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [`CSIPersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct CSIPersistentVolumeSource {
    /// [`driver`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): required.
    pub driver: Str,
    /// [`volumeHandle`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): required.
    pub volume_handle: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`volumeAttributes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub volume_attributes: Map<Str>,
    /// [`controllerPublishSecretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub controller_publish_secret_ref: Option<Shared<SecretReference>>,
    /// [`nodeStageSecretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub node_stage_secret_ref: Option<Shared<SecretReference>>,
    /// [`nodePublishSecretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub node_publish_secret_ref: Option<Shared<SecretReference>>,
    /// [`controllerExpandSecretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional.
    pub controller_expand_secret_ref: Option<Shared<SecretReference>>,
    /// [`nodeExpandSecretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#csipersistentvolumesource-v1-core): optional, since 1.25.
    pub node_expand_secret_ref: Option<Shared<SecretReference>>,
}

impl CSIPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        volume_handle: Str::EMPTY,
        read_only: false,
        fs_type: Str::EMPTY,
        volume_attributes: Map::EMPTY,
        controller_publish_secret_ref: None,
        node_stage_secret_ref: None,
        node_publish_secret_ref: None,
        controller_expand_secret_ref: None,
        node_expand_secret_ref: None,
    };
}

client_rs_machinery::message!(CSIPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CSIPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("volumeHandle", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("volumeAttributes", Flags::OMIT_EMPTY),
        Field::new("controllerPublishSecretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
        Field::new("nodeStageSecretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
        Field::new("nodePublishSecretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
        Field::new("controllerExpandSecretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
        Field::new("nodeExpandSecretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
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
        Wire::field(9, 8),
        Wire::field(10, 9),
    ],
};

impl Fields for CSIPersistentVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.driver),
            1 => FieldRef::value(&self.volume_handle),
            2 => FieldRef::value(&self.read_only),
            3 => FieldRef::value(&self.fs_type),
            4 => FieldRef::value(&self.volume_attributes),
            5 => FieldRef::optional(&self.controller_publish_secret_ref),
            6 => FieldRef::optional(&self.node_stage_secret_ref),
            7 => FieldRef::optional(&self.node_publish_secret_ref),
            8 => FieldRef::optional(&self.controller_expand_secret_ref),
            9 => FieldRef::optional(&self.node_expand_secret_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.driver),
            1 => FieldMut::value(&mut self.volume_handle),
            2 => FieldMut::value(&mut self.read_only),
            3 => FieldMut::value(&mut self.fs_type),
            4 => FieldMut::value(&mut self.volume_attributes),
            5 => FieldMut::optional(&mut self.controller_publish_secret_ref),
            6 => FieldMut::optional(&mut self.node_stage_secret_ref),
            7 => FieldMut::optional(&mut self.node_publish_secret_ref),
            8 => FieldMut::optional(&mut self.controller_expand_secret_ref),
            9 => FieldMut::optional(&mut self.node_expand_secret_ref),
            _ => FieldMut::NONE,
        }
    }
}
