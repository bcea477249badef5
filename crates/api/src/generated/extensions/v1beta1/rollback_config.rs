// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [RollbackConfig](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#rollbackconfig-v1beta1-extensions) of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct RollbackConfig {
    pub revision: i64,
}

impl RollbackConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { revision: 0 };
}

client_rs_machinery::message!(RollbackConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RollbackConfig",
    type_meta: None,
    fields: &[Field::new("revision", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for RollbackConfig {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.revision,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.revision,
            _ => return None,
        })
    }
}
