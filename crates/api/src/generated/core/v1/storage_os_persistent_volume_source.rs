// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`StorageOSPersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct StorageOSPersistentVolumeSource {
    /// [`volumeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core): optional.
    pub volume_name: Str,
    /// [`volumeNamespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core): optional.
    pub volume_namespace: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core): optional.
    pub secret_ref: Option<Shared<ObjectReference>>,
}

impl StorageOSPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        volume_name: Str::EMPTY,
        volume_namespace: Str::EMPTY,
        fs_type: Str::EMPTY,
        read_only: false,
        secret_ref: None,
    };
}

client_rs_machinery::message!(StorageOSPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageOSPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("volumeName", Flags::OMIT_EMPTY),
        Field::new("volumeNamespace", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<ObjectReference>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for StorageOSPersistentVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.volume_name),
            1 => FieldRef::value(&self.volume_namespace),
            2 => FieldRef::value(&self.fs_type),
            3 => FieldRef::value(&self.read_only),
            4 => FieldRef::optional(&self.secret_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.volume_name),
            1 => FieldMut::value(&mut self.volume_namespace),
            2 => FieldMut::value(&mut self.fs_type),
            3 => FieldMut::value(&mut self.read_only),
            4 => FieldMut::optional(&mut self.secret_ref),
            _ => FieldMut::NONE,
        }
    }
}
