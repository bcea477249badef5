// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ServiceBackendPort;
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`IngressServiceBackend`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressservicebackend-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressServiceBackend {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressservicebackend-v1-networking-k8s-io): required.
    pub name: Str,
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressservicebackend-v1-networking-k8s-io): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::message(&self.port),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::message(&mut self.port),
            _ => FieldMut::NONE,
        }
    }
}
