// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ContainerStateWaiting](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerstatewaiting-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerStateWaiting {
    pub reason: Str,
    pub message: Str,
}

impl ContainerStateWaiting {
    /// Every field empty.
    pub const EMPTY: Self = Self { reason: Str::EMPTY, message: Str::EMPTY };
}

client_rs_machinery::message!(ContainerStateWaiting, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerStateWaiting",
    type_meta: None,
    fields: &[Field::new("reason", Flags::OMIT_EMPTY), Field::new("message", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerStateWaiting {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.reason,
            1 => &self.message,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.reason,
            1 => &mut self.message,
            _ => return None,
        })
    }
}
