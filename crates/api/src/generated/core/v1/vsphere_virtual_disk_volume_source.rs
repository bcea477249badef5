// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`VsphereVirtualDiskVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#vspherevirtualdiskvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VsphereVirtualDiskVolumeSource {
    /// [`volumePath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#vspherevirtualdiskvolumesource-v1-core): required.
    pub volume_path: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#vspherevirtualdiskvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`storagePolicyName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#vspherevirtualdiskvolumesource-v1-core): optional.
    pub storage_policy_name: Str,
    /// [`storagePolicyID`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#vspherevirtualdiskvolumesource-v1-core): optional.
    pub storage_policy_id: Str,
}

impl VsphereVirtualDiskVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        volume_path: Str::EMPTY,
        fs_type: Str::EMPTY,
        storage_policy_name: Str::EMPTY,
        storage_policy_id: Str::EMPTY,
    };
}

client_rs_machinery::message!(VsphereVirtualDiskVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VsphereVirtualDiskVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("volumePath", Flags::NONE),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("storagePolicyName", Flags::OMIT_EMPTY),
        Field::new("storagePolicyID", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for VsphereVirtualDiskVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.volume_path),
            1 => FieldRef::value(&self.fs_type),
            2 => FieldRef::value(&self.storage_policy_name),
            3 => FieldRef::value(&self.storage_policy_id),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.volume_path),
            1 => FieldMut::value(&mut self.fs_type),
            2 => FieldMut::value(&mut self.storage_policy_name),
            3 => FieldMut::value(&mut self.storage_policy_id),
            _ => FieldMut::NONE,
        }
    }
}
