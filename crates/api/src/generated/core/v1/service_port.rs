// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{IntOrString, Str};

/// [`ServicePort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ServicePort {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core): optional.
    pub name: Str,
    /// [`protocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core): optional. One of `SCTP`, `TCP`, `UDP`. Defaults to `TCP`.
    pub protocol: Str,
    /// [`appProtocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core): optional, since 1.18.
    pub app_protocol: Option<Str>,
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core): required.
    pub port: i32,
    /// [`targetPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core): optional.
    pub target_port: IntOrString,
    /// [`nodePort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core): optional.
    pub node_port: i32,
}

impl ServicePort {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        name: Str::EMPTY,
        protocol: Str::EMPTY,
        app_protocol: None,
        port: 0,
        target_port: IntOrString::ZERO,
        node_port: 0,
    };
}

client_rs_machinery::message!(ServicePort, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ServicePort",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("protocol", Flags::OMIT_EMPTY),
        Field::new("appProtocol", Flags::OMIT_EMPTY),
        Field::new("port", Flags::NONE),
        Field::new("targetPort", Flags::OMIT_EMPTY),
        Field::new("nodePort", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 3),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 2),
    ],
};

impl Fields for ServicePort {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.protocol),
            2 => FieldRef::value(&self.app_protocol),
            3 => FieldRef::value(&self.port),
            4 => FieldRef::value(&self.target_port),
            5 => FieldRef::value(&self.node_port),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.protocol),
            2 => FieldMut::value(&mut self.app_protocol),
            3 => FieldMut::value(&mut self.port),
            4 => FieldMut::value(&mut self.target_port),
            5 => FieldMut::value(&mut self.node_port),
            _ => FieldMut::NONE,
        }
    }
}
