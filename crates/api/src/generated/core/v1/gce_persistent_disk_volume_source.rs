// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GCEPersistentDiskVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gcepersistentdiskvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GCEPersistentDiskVolumeSource {
    /// [`pdName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gcepersistentdiskvolumesource-v1-core): required.
    pub pd_name: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gcepersistentdiskvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`partition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gcepersistentdiskvolumesource-v1-core): optional.
    pub partition: i32,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#gcepersistentdiskvolumesource-v1-core): optional.
    pub read_only: bool,
}

impl GCEPersistentDiskVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { pd_name: Str::EMPTY, fs_type: Str::EMPTY, partition: 0, read_only: false };
}

client_rs_machinery::message!(GCEPersistentDiskVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GCEPersistentDiskVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("pdName", Flags::NONE),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("partition", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for GCEPersistentDiskVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.pd_name),
            1 => FieldRef::value(&self.fs_type),
            2 => FieldRef::value(&self.partition),
            3 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.pd_name),
            1 => FieldMut::value(&mut self.fs_type),
            2 => FieldMut::value(&mut self.partition),
            3 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
