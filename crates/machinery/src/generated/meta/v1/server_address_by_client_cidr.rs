// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ServerAddressByClientCIDR`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serveraddressbyclientcidr-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ServerAddressByClientCIDR {
    /// [`clientCIDR`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serveraddressbyclientcidr-v1-meta): required.
    pub client_cidr: Str,
    /// [`serverAddress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serveraddressbyclientcidr-v1-meta): required.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.client_cidr),
            1 => FieldRef::value(&self.server_address),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.client_cidr),
            1 => FieldMut::value(&mut self.server_address),
            _ => FieldMut::NONE,
        }
    }
}
