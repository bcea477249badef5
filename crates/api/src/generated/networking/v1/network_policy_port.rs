// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{IntOrString, Str};

/// [`NetworkPolicyPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyport-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicyPort {
    /// [`protocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyport-v1-networking-k8s-io): optional. One of `SCTP`, `TCP`, `UDP`. Defaults to `TCP`.
    pub protocol: Option<Str>,
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyport-v1-networking-k8s-io): optional.
    pub port: Option<IntOrString>,
    /// [`endPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyport-v1-networking-k8s-io): optional, since 1.21.
    pub end_port: Option<i32>,
}

impl NetworkPolicyPort {
    /// Every field empty.
    pub const EMPTY: Self = Self { protocol: None, port: None, end_port: None };
}

client_rs_machinery::message!(NetworkPolicyPort, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkPolicyPort",
    type_meta: None,
    fields: &[
        Field::new("protocol", Flags::OMIT_EMPTY),
        Field::new("port", Flags::OMIT_EMPTY),
        Field::new("endPort", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for NetworkPolicyPort {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.protocol),
            1 => FieldRef::value(&self.port),
            2 => FieldRef::value(&self.end_port),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.protocol),
            1 => FieldMut::value(&mut self.port),
            2 => FieldMut::value(&mut self.end_port),
            _ => FieldMut::NONE,
        }
    }
}
