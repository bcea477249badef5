// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [GRPCAction](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#grpcaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GRPCAction {
    pub port: i32,
    pub service: Option<Str>,
    pub mode: Option<Str>,
}

impl GRPCAction {
    /// Every field empty.
    pub const EMPTY: Self = Self { port: 0, service: None, mode: None };
}

client_rs_machinery::message!(GRPCAction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GRPCAction",
    type_meta: None,
    fields: &[
        Field::new("port", Flags::NONE),
        Field::new("service", Flags::NONE),
        Field::new("mode", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for GRPCAction {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.port,
            1 => &self.service,
            2 => &self.mode,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.port,
            1 => &mut self.service,
            2 => &mut self.mode,
            _ => return None,
        })
    }
}
