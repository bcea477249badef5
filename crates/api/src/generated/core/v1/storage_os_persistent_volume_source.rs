// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [StorageOSPersistentVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageospersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct StorageOSPersistentVolumeSource {
    pub volume_name: Str,
    pub volume_namespace: Str,
    pub fs_type: Str,
    pub read_only: bool,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.volume_name,
            1 => &self.volume_namespace,
            2 => &self.fs_type,
            3 => &self.read_only,
            4 => &self.secret_ref,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.volume_name,
            1 => &mut self.volume_namespace,
            2 => &mut self.fs_type,
            3 => &mut self.read_only,
            4 => &mut self.secret_ref,
            _ => return None,
        })
    }
}
