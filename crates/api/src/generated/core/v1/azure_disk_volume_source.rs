// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AzureDiskVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct AzureDiskVolumeSource {
    /// [`diskName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core): required.
    pub disk_name: Str,
    /// [`diskURI`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core): required.
    pub disk_uri: Str,
    /// [`cachingMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core): optional. One of `None`, `ReadOnly`, `ReadWrite`. Defaults to `ReadWrite`.
    pub caching_mode: Option<Str>,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core): optional. Defaults to `ext4`.
    pub fs_type: Option<Str>,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core): optional. Defaults to `false`.
    pub read_only: Option<bool>,
    /// [`kind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#azurediskvolumesource-v1-core): optional. One of `Dedicated`, `Managed`, `Shared`. Defaults to `Shared`.
    pub kind: Option<Str>,
}

impl AzureDiskVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        disk_name: Str::EMPTY,
        disk_uri: Str::EMPTY,
        caching_mode: None,
        fs_type: None,
        read_only: None,
        kind: None,
    };
}

client_rs_machinery::message!(AzureDiskVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AzureDiskVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("diskName", Flags::NONE),
        Field::new("diskURI", Flags::NONE),
        Field::new("cachingMode", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("kind", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for AzureDiskVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.disk_name),
            1 => FieldRef::value(&self.disk_uri),
            2 => FieldRef::value(&self.caching_mode),
            3 => FieldRef::value(&self.fs_type),
            4 => FieldRef::value(&self.read_only),
            5 => FieldRef::value(&self.kind),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.disk_name),
            1 => FieldMut::value(&mut self.disk_uri),
            2 => FieldMut::value(&mut self.caching_mode),
            3 => FieldMut::value(&mut self.fs_type),
            4 => FieldMut::value(&mut self.read_only),
            5 => FieldMut::value(&mut self.kind),
            _ => FieldMut::NONE,
        }
    }
}
