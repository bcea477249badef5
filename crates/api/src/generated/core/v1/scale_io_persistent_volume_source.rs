// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`ScaleIOPersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ScaleIOPersistentVolumeSource {
    /// [`gateway`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): required.
    pub gateway: Str,
    /// [`system`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): required.
    pub system: Str,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): required.
    pub secret_ref: Option<Shared<SecretReference>>,
    /// [`sslEnabled`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional.
    pub ssl_enabled: bool,
    /// [`protectionDomain`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional.
    pub protection_domain: Str,
    /// [`storagePool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional.
    pub storage_pool: Str,
    /// [`storageMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional. Defaults to `ThinProvisioned`.
    pub storage_mode: Str,
    /// [`volumeName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional.
    pub volume_name: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional. Defaults to `xfs`.
    pub fs_type: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core): optional.
    pub read_only: bool,
}

impl ScaleIOPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        gateway: Str::EMPTY,
        system: Str::EMPTY,
        secret_ref: None,
        ssl_enabled: false,
        protection_domain: Str::EMPTY,
        storage_pool: Str::EMPTY,
        storage_mode: Str::EMPTY,
        volume_name: Str::EMPTY,
        fs_type: Str::EMPTY,
        read_only: false,
    };
}

client_rs_machinery::message!(ScaleIOPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScaleIOPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("gateway", Flags::NONE),
        Field::new("system", Flags::NONE),
        Field::new("secretRef", Flags::NONE).of::<SecretReference>(),
        Field::new("sslEnabled", Flags::OMIT_EMPTY),
        Field::new("protectionDomain", Flags::OMIT_EMPTY),
        Field::new("storagePool", Flags::OMIT_EMPTY),
        Field::new("storageMode", Flags::OMIT_EMPTY),
        Field::new("volumeName", Flags::OMIT_EMPTY),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("readOnly", Flags::OMIT_EMPTY),
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

impl Fields for ScaleIOPersistentVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.gateway),
            1 => FieldRef::value(&self.system),
            2 => FieldRef::optional(&self.secret_ref),
            3 => FieldRef::value(&self.ssl_enabled),
            4 => FieldRef::value(&self.protection_domain),
            5 => FieldRef::value(&self.storage_pool),
            6 => FieldRef::value(&self.storage_mode),
            7 => FieldRef::value(&self.volume_name),
            8 => FieldRef::value(&self.fs_type),
            9 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.gateway),
            1 => FieldMut::value(&mut self.system),
            2 => FieldMut::optional(&mut self.secret_ref),
            3 => FieldMut::value(&mut self.ssl_enabled),
            4 => FieldMut::value(&mut self.protection_domain),
            5 => FieldMut::value(&mut self.storage_pool),
            6 => FieldMut::value(&mut self.storage_mode),
            7 => FieldMut::value(&mut self.volume_name),
            8 => FieldMut::value(&mut self.fs_type),
            9 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
