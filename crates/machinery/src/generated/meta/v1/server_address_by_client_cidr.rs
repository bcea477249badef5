// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ServerAddressByClientCIDR](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serveraddressbyclientcidr-v1-meta-k8s-io) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ServerAddressByClientCIDR {
    pub client_cidr: Str,
    pub server_address: Str,
}

impl ServerAddressByClientCIDR {
    /// Every field empty.
    pub const EMPTY: Self = Self { client_cidr: Str::EMPTY, server_address: Str::EMPTY };
}

crate::message!(ServerAddressByClientCIDR, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServerAddressByClientCIDR",
    type_meta: None,
    fields: &[Field::new("clientCIDR", Flags::NONE), Field::new("serverAddress", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ServerAddressByClientCIDR {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.client_cidr,
            1 => &self.server_address,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.client_cidr,
            1 => &mut self.server_address,
            _ => return None,
        })
    }
}
