// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [NodeAddress](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaddress-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAddress {
    pub type_: Str,
    pub address: Str,
}

impl NodeAddress {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, address: Str::EMPTY };
}

client_rs_machinery::message!(NodeAddress, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAddress",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE), Field::new("address", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeAddress {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.address,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.address,
            _ => return None,
        })
    }
}
