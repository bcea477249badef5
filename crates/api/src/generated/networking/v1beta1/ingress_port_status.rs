// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [IngressPortStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressportstatus-v1beta1-networking-k8s-io) of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressPortStatus {
    pub port: i32,
    pub protocol: Str,
    pub error: Option<Str>,
}

impl IngressPortStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { port: 0, protocol: Str::EMPTY, error: None };
}

client_rs_machinery::message!(IngressPortStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressPortStatus",
    type_meta: None,
    fields: &[
        Field::new("port", Flags::NONE),
        Field::new("protocol", Flags::NONE),
        Field::new("error", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for IngressPortStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.port,
            1 => &self.protocol,
            2 => &self.error,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.port,
            1 => &mut self.protocol,
            2 => &mut self.error,
            _ => return None,
        })
    }
}
