// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`RBDPersistentVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct RBDPersistentVolumeSource {
    /// [`monitors`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): required. Apply replaces the list.
    pub monitors: List<Str>,
    /// [`image`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): required.
    pub image: Str,
    /// [`fsType`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): optional.
    pub fs_type: Str,
    /// [`pool`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): optional. Defaults to `rbd`.
    pub pool: Str,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): optional. Defaults to `admin`.
    pub user: Str,
    /// [`keyring`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): optional. Defaults to `/etc/ceph/keyring`.
    pub keyring: Str,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): optional.
    pub secret_ref: Option<Shared<SecretReference>>,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rbdpersistentvolumesource-v1-core): optional.
    pub read_only: bool,
}

impl RBDPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        monitors: List::EMPTY,
        image: Str::EMPTY,
        fs_type: Str::EMPTY,
        pool: Str::EMPTY,
        user: Str::EMPTY,
        keyring: Str::EMPTY,
        secret_ref: None,
        read_only: false,
    };
}

client_rs_machinery::message!(RBDPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RBDPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("monitors", Flags::NONE),
        Field::new("image", Flags::NONE),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("pool", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY),
        Field::new("keyring", Flags::OMIT_EMPTY),
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
        Wire::field(7, 6),
        Wire::field(8, 7),
    ],
};

impl Fields for RBDPersistentVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.monitors),
            1 => FieldRef::value(&self.image),
            2 => FieldRef::value(&self.fs_type),
            3 => FieldRef::value(&self.pool),
            4 => FieldRef::value(&self.user),
            5 => FieldRef::value(&self.keyring),
            6 => FieldRef::optional(&self.secret_ref),
            7 => FieldRef::value(&self.read_only),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.monitors),
            1 => FieldMut::value(&mut self.image),
            2 => FieldMut::value(&mut self.fs_type),
            3 => FieldMut::value(&mut self.pool),
            4 => FieldMut::value(&mut self.user),
            5 => FieldMut::value(&mut self.keyring),
            6 => FieldMut::optional(&mut self.secret_ref),
            7 => FieldMut::value(&mut self.read_only),
            _ => FieldMut::NONE,
        }
    }
}
