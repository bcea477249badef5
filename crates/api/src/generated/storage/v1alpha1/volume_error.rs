// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// `VolumeError` of `storage.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct VolumeError {
    /// `time`: optional.
    pub time: Option<Time>,
    /// `message`: optional.
    pub message: Str,
    /// `errorCode`: optional. Feature gate `MutableCSINodeAllocatableCount`.
    pub error_code: Option<i32>,
}

impl VolumeError {
    /// Every field empty.
    pub const EMPTY: Self = Self { time: None, message: Str::EMPTY, error_code: None };
}

client_rs_machinery::message!(VolumeError, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "VolumeError",
    type_meta: None,
    fields: &[
        Field::new("time", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("errorCode", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::always(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for VolumeError {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.time),
            1 => FieldRef::value(&self.message),
            2 => FieldRef::value(&self.error_code),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.time),
            1 => FieldMut::value(&mut self.message),
            2 => FieldMut::value(&mut self.error_code),
            _ => FieldMut::NONE,
        }
    }
}
