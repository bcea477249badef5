// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [CephFSPersistentVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct CephFSPersistentVolumeSource {
    pub monitors: List<Str>,
    pub path: Str,
    pub user: Str,
    pub secret_file: Str,
    pub secret_ref: Option<Shared<SecretReference>>,
    pub read_only: bool,
}

impl CephFSPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        monitors: List::EMPTY,
        path: Str::EMPTY,
        user: Str::EMPTY,
        secret_file: Str::EMPTY,
        secret_ref: None,
        read_only: false,
    };
}

client_rs_machinery::message!(CephFSPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CephFSPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("monitors", Flags::NONE),
        Field::new("path", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY),
        Field::new("secretFile", Flags::OMIT_EMPTY),
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
        Field::new("readOnly", Flags::OMIT_EMPTY),
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

impl Fields for CephFSPersistentVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.monitors,
            1 => &self.path,
            2 => &self.user,
            3 => &self.secret_file,
            4 => &self.secret_ref,
            5 => &self.read_only,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.monitors,
            1 => &mut self.path,
            2 => &mut self.user,
            3 => &mut self.secret_file,
            4 => &mut self.secret_ref,
            5 => &mut self.read_only,
            _ => return None,
        })
    }
}
