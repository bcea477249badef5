// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [NodeSwapStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeswapstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeSwapStatus {
    pub capacity: Option<i64>,
}

impl NodeSwapStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { capacity: None };
}

client_rs_machinery::message!(NodeSwapStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeSwapStatus",
    type_meta: None,
    fields: &[Field::new("capacity", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NodeSwapStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.capacity,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.capacity,
            _ => return None,
        })
    }
}
