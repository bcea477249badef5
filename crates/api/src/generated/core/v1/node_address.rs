// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeAddress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaddress-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAddress {
    /// [`type`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaddress-v1-core): required. Known values: `ExternalDNS`, `ExternalIP`, `Hostname`, `InternalDNS`, `InternalIP`.
    pub type_: Str,
    /// [`address`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaddress-v1-core): required.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.type_),
            1 => FieldRef::value(&self.address),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.type_),
            1 => FieldMut::value(&mut self.address),
            _ => FieldMut::NONE,
        }
    }
}
