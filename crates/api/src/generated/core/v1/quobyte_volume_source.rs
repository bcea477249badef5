// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`QuobyteVolumeSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct QuobyteVolumeSource {
    /// [`registry`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core): required.
    pub registry: Str,
    /// [`volume`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core): required.
    pub volume: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core): optional.
    pub read_only: bool,
    /// [`user`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core): optional.
    pub user: Str,
    /// [`group`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core): optional.
    pub group: Str,
    /// [`tenant`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#quobytevolumesource-v1-core): optional.
    pub tenant: Str,
}

impl QuobyteVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        registry: Str::EMPTY,
        volume: Str::EMPTY,
        read_only: false,
        user: Str::EMPTY,
        group: Str::EMPTY,
        tenant: Str::EMPTY,
    };
}

client_rs_machinery::message!(QuobyteVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "QuobyteVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("registry", Flags::NONE),
        Field::new("volume", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY),
        Field::new("group", Flags::OMIT_EMPTY),
        Field::new("tenant", Flags::OMIT_EMPTY),
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

impl Fields for QuobyteVolumeSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.registry),
            1 => FieldRef::value(&self.volume),
            2 => FieldRef::value(&self.read_only),
            3 => FieldRef::value(&self.user),
            4 => FieldRef::value(&self.group),
            5 => FieldRef::value(&self.tenant),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.registry),
            1 => FieldMut::value(&mut self.volume),
            2 => FieldMut::value(&mut self.read_only),
            3 => FieldMut::value(&mut self.user),
            4 => FieldMut::value(&mut self.group),
            5 => FieldMut::value(&mut self.tenant),
            _ => FieldMut::NONE,
        }
    }
}
