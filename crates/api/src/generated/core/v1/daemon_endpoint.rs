// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DaemonEndpoint](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonendpoint-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct DaemonEndpoint {
    pub port: i32,
}

impl DaemonEndpoint {
    /// Every field empty.
    pub const EMPTY: Self = Self { port: 0 };
}

client_rs_machinery::message!(DaemonEndpoint, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DaemonEndpoint",
    type_meta: None,
    fields: &[Field::new("Port", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for DaemonEndpoint {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.port,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.port,
            _ => return None,
        })
    }
}
