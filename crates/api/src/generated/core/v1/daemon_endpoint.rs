// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`DaemonEndpoint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonendpoint-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct DaemonEndpoint {
    /// [`Port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#daemonendpoint-v1-core): required.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.port),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.port),
            _ => FieldMut::NONE,
        }
    }
}
