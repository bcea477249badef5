// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`CephFSPersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct CephFSPersistentVolumeSource {
    /// [`monitors`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core): required. Apply replaces the list.
    pub monitors: List<Str>,
    /// [`path`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core): optional.
    pub path: Str,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core): optional.
    pub user: Str,
    /// [`secretFile`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core): optional.
    pub secret_file: Str,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core): optional.
    pub secret_ref: Option<Shared<SecretReference>>,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cephfspersistentvolumesource-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.monitors),
            1 => FieldRef::value(&self.path),
            2 => FieldRef::value(&self.user),
            3 => FieldRef::value(&self.secret_file),
            4 => FieldRef::optional(&self.secret_ref),
            5 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.monitors),
            1 => FieldMut::value(&mut self.path),
            2 => FieldMut::value(&mut self.user),
            3 => FieldMut::value(&mut self.secret_file),
            4 => FieldMut::optional(&mut self.secret_ref),
            5 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
