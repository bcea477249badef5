// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`GRPCAction`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#grpcaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct GRPCAction {
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#grpcaction-v1-core): required.
    pub port: i32,
    /// [`service`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#grpcaction-v1-core): optional. Defaults to `""`.
    pub service: Option<Str>,
    /// [`mode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#grpcaction-v1-core): optional, since 1.37. One of `Plaintext`, `TLS`. Feature gate `GRPCContainerProbeTLS`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.port),
            1 => FieldRef::value(&self.service),
            2 => FieldRef::value(&self.mode),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.port),
            1 => FieldMut::value(&mut self.service),
            2 => FieldMut::value(&mut self.mode),
            _ => FieldMut::NONE,
        }
    }
}
