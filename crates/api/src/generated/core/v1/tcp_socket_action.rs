// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{IntOrString, Str};

/// [`TCPSocketAction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tcpsocketaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TCPSocketAction {
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tcpsocketaction-v1-core): required.
    pub port: IntOrString,
    /// [`host`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tcpsocketaction-v1-core): optional.
    pub host: Str,
}

impl TCPSocketAction {
    /// Every field empty.
    pub const EMPTY: Self = Self { port: IntOrString::ZERO, host: Str::EMPTY };
}

client_rs_machinery::message!(TCPSocketAction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TCPSocketAction",
    type_meta: None,
    fields: &[Field::new("port", Flags::NONE), Field::new("host", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for TCPSocketAction {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.port),
            1 => FieldRef::value(&self.host),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.port),
            1 => FieldMut::value(&mut self.host),
            _ => FieldMut::NONE,
        }
    }
}
