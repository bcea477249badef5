// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EvictionResponder](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#evictionresponder-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EvictionResponder {
    pub name: Str,
    pub priority: Option<i32>,
}

impl EvictionResponder {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, priority: None };
}

client_rs_machinery::message!(EvictionResponder, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EvictionResponder",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("priority", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for EvictionResponder {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.priority,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.priority,
            _ => return None,
        })
    }
}
