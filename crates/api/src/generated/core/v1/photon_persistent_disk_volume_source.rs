// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PhotonPersistentDiskVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#photonpersistentdiskvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PhotonPersistentDiskVolumeSource {
    /// [`pdID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#photonpersistentdiskvolumesource-v1-core): required.
    pub pd_id: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#photonpersistentdiskvolumesource-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.pd_id),
            1 => FieldRef::value(&self.fs_type),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.pd_id),
            1 => FieldMut::value(&mut self.fs_type),
            _ => FieldMut::NONE,
        }
    }
}
