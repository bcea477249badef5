// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`VolumeMount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeMount {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): required.
    pub name: Str,
    /// [`readOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): optional.
    pub read_only: bool,
    /// [`recursiveReadOnly`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): optional, since 1.30. Known values: `Disabled`, `Enabled`, `IfPossible`.
    pub recursive_read_only: Option<Str>,
    /// [`mountPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): required.
    pub mount_path: Str,
    /// [`subPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): optional.
    pub sub_path: Str,
    /// [`mountPropagation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): optional. One of `Bidirectional`, `HostToContainer`, `None`.
    pub mount_propagation: Option<Str>,
    /// [`subPathExpr`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): optional.
    pub sub_path_expr: Str,
    /// [`bindMountOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core): optional, since 1.37. Apply merges entries. Feature gate `VolumeBindMountOptions`.
    pub bind_mount_options: List<Str>,
}

impl VolumeMount {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        read_only: false,
        recursive_read_only: None,
        mount_path: Str::EMPTY,
        sub_path: Str::EMPTY,
        mount_propagation: None,
        sub_path_expr: Str::EMPTY,
        bind_mount_options: List::EMPTY,
    };
}

client_rs_machinery::message!(VolumeMount, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeMount",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("recursiveReadOnly", Flags::OMIT_EMPTY),
        Field::new("mountPath", Flags::NONE),
        Field::new("subPath", Flags::OMIT_EMPTY),
        Field::new("mountPropagation", Flags::OMIT_EMPTY),
        Field::new("subPathExpr", Flags::OMIT_EMPTY),
        Field::new("bindMountOptions", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 3),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 6),
        Wire::field(7, 2),
        Wire::field(8, 7),
    ],
};

impl Fields for VolumeMount {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.read_only),
            2 => FieldRef::value(&self.recursive_read_only),
            3 => FieldRef::value(&self.mount_path),
            4 => FieldRef::value(&self.sub_path),
            5 => FieldRef::value(&self.mount_propagation),
            6 => FieldRef::value(&self.sub_path_expr),
            7 => FieldRef::value(&self.bind_mount_options),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.read_only),
            2 => FieldMut::value(&mut self.recursive_read_only),
            3 => FieldMut::value(&mut self.mount_path),
            4 => FieldMut::value(&mut self.sub_path),
            5 => FieldMut::value(&mut self.mount_propagation),
            6 => FieldMut::value(&mut self.sub_path_expr),
            7 => FieldMut::value(&mut self.bind_mount_options),
            _ => FieldMut::NONE,
        }
    }
}
