// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [StatusCause](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statuscause-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct StatusCause {
    pub reason: Str,
    pub message: Str,
    pub field: Str,
}

impl StatusCause {
    /// Every field empty.
    pub const EMPTY: Self = Self { reason: Str::EMPTY, message: Str::EMPTY, field: Str::EMPTY };
}

crate::message!(StatusCause, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatusCause",
    type_meta: None,
    fields: &[
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("field", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for StatusCause {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.reason,
            1 => &self.message,
            2 => &self.field,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.reason,
            1 => &mut self.message,
            2 => &mut self.field,
            _ => return None,
        })
    }
}
