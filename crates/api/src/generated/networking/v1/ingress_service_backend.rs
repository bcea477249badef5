// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServiceBackendPort;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [IngressServiceBackend](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressservicebackend-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressServiceBackend {
    pub name: Str,
    pub port: ServiceBackendPort,
}

impl IngressServiceBackend {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, port: ServiceBackendPort::EMPTY };
}

client_rs_machinery::message!(IngressServiceBackend, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressServiceBackend",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("port", Flags::OMIT_EMPTY).of::<ServiceBackendPort>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for IngressServiceBackend {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.port,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.port,
            _ => return None,
        })
    }
}
