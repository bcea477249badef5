// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EndpointPort`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointport-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EndpointPort {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointport-v1-core): optional.
    pub name: Str,
    /// [`port`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointport-v1-core): required.
    pub port: i32,
    /// [`protocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointport-v1-core): optional. One of `SCTP`, `TCP`, `UDP`. Defaults to `TCP`.
    pub protocol: Str,
    /// [`appProtocol`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointport-v1-core): optional, since 1.18.
    pub app_protocol: Option<Str>,
}

impl EndpointPort {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, port: 0, protocol: Str::EMPTY, app_protocol: None };
}

client_rs_machinery::message!(EndpointPort, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointPort",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("port", Flags::NONE),
        Field::new("protocol", Flags::OMIT_EMPTY),
        Field::new("appProtocol", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for EndpointPort {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.port),
            2 => FieldRef::value(&self.protocol),
            3 => FieldRef::value(&self.app_protocol),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.port),
            2 => FieldMut::value(&mut self.protocol),
            3 => FieldMut::value(&mut self.app_protocol),
            _ => FieldMut::NONE,
        }
    }
}
