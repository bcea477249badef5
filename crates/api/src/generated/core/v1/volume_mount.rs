// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [VolumeMount](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumemount-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeMount {
    pub name: Str,
    pub read_only: bool,
    pub recursive_read_only: Option<Str>,
    pub mount_path: Str,
    pub sub_path: Str,
    pub mount_propagation: Option<Str>,
    pub sub_path_expr: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.read_only,
            2 => &self.recursive_read_only,
            3 => &self.mount_path,
            4 => &self.sub_path,
            5 => &self.mount_propagation,
            6 => &self.sub_path_expr,
            7 => &self.bind_mount_options,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.read_only,
            2 => &mut self.recursive_read_only,
            3 => &mut self.mount_path,
            4 => &mut self.sub_path,
            5 => &mut self.mount_propagation,
            6 => &mut self.sub_path_expr,
            7 => &mut self.bind_mount_options,
            _ => return None,
        })
    }
}
