// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PhotonPersistentDiskVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#photonpersistentdiskvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PhotonPersistentDiskVolumeSource {
    pub pd_id: Str,
    pub fs_type: Str,
}

impl PhotonPersistentDiskVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { pd_id: Str::EMPTY, fs_type: Str::EMPTY };
}

client_rs_machinery::message!(PhotonPersistentDiskVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PhotonPersistentDiskVolumeSource",
    type_meta: None,
    fields: &[Field::new("pdID", Flags::NONE), Field::new("fsType", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PhotonPersistentDiskVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.pd_id,
            1 => &self.fs_type,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.pd_id,
            1 => &mut self.fs_type,
            _ => return None,
        })
    }
}
