// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`VolumeHealthCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthcondition-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct VolumeHealthCondition {
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthcondition-v1-core): required. One of `DataLoss`, `Degraded`, `Inaccessible`.
    pub status: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthcondition-v1-core): required. At most 256 bytes.
    pub reason: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumehealthcondition-v1-core): optional. At most 1024 bytes.
    pub message: Str,
}

impl VolumeHealthCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self { status: Str::EMPTY, reason: Str::EMPTY, message: Str::EMPTY };
}

client_rs_machinery::message!(VolumeHealthCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeHealthCondition",
    type_meta: None,
    fields: &[
        Field::new("status", Flags::NONE),
        Field::new("reason", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for VolumeHealthCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.status),
            1 => FieldRef::value(&self.reason),
            2 => FieldRef::value(&self.message),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.status),
            1 => FieldMut::value(&mut self.reason),
            2 => FieldMut::value(&mut self.message),
            _ => FieldMut::NONE,
        }
    }
}
