// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [VolumeError](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#volumeerror-v1beta1-storage-k8s-io) of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct VolumeError {
    pub time: Option<Time>,
    pub message: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.time,
            1 => &self.message,
            2 => &self.error_code,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.time,
            1 => &mut self.message,
            2 => &mut self.error_code,
            _ => return None,
        })
    }
}
