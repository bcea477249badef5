// Made by `cargo xtask codegen` from schema: change those, not this.
use super::VolumeStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`VolumeMountStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemountstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeMountStatus {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemountstatus-v1-core): required.
    pub name: Str,
    /// [`mountPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemountstatus-v1-core): required.
    pub mount_path: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemountstatus-v1-core): optional.
    pub read_only: bool,
    /// [`recursiveReadOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemountstatus-v1-core): optional. Known values: `Disabled`, `Enabled`, `IfPossible`.
    pub recursive_read_only: Option<Str>,
    /// [`volumeStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemountstatus-v1-core): optional, since 1.36.
    pub volume_status: Option<Shared<VolumeStatus>>,
}

impl VolumeMountStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        mount_path: Str::EMPTY,
        read_only: false,
        recursive_read_only: None,
        volume_status: None,
    };
}

client_rs_machinery::message!(VolumeMountStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeMountStatus",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("mountPath", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("recursiveReadOnly", Flags::OMIT_EMPTY),
        Field::new("volumeStatus", Flags::OMIT_EMPTY).of::<VolumeStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for VolumeMountStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.mount_path),
            2 => FieldRef::value(&self.read_only),
            3 => FieldRef::value(&self.recursive_read_only),
            4 => FieldRef::optional(&self.volume_status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.mount_path),
            2 => FieldMut::value(&mut self.read_only),
            3 => FieldMut::value(&mut self.recursive_read_only),
            4 => FieldMut::optional(&mut self.volume_status),
            _ => FieldMut::NONE,
        }
    }
}
