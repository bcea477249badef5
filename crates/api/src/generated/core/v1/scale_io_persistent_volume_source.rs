// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [ScaleIOPersistentVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#scaleiopersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ScaleIOPersistentVolumeSource {
    pub gateway: Str,
    pub system: Str,
    pub secret_ref: Option<Shared<SecretReference>>,
    pub ssl_enabled: bool,
    pub protection_domain: Str,
    pub storage_pool: Str,
    pub storage_mode: Str,
    pub volume_name: Str,
    pub fs_type: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.gateway,
            1 => &self.system,
            2 => &self.secret_ref,
            3 => &self.ssl_enabled,
            4 => &self.protection_domain,
            5 => &self.storage_pool,
            6 => &self.storage_mode,
            7 => &self.volume_name,
            8 => &self.fs_type,
            9 => &self.read_only,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.gateway,
            1 => &mut self.system,
            2 => &mut self.secret_ref,
            3 => &mut self.ssl_enabled,
            4 => &mut self.protection_domain,
            5 => &mut self.storage_pool,
            6 => &mut self.storage_mode,
            7 => &mut self.volume_name,
            8 => &mut self.fs_type,
            9 => &mut self.read_only,
            _ => return None,
        })
    }
}
