// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `EndpointPort` of `discovery.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct EndpointPort {
    /// `name`: optional.
    pub name: Option<Str>,
    /// `protocol`: optional. One of `SCTP`, `TCP`, `UDP`. Defaults to `TCP`.
    pub protocol: Option<Str>,
    /// `port`: optional.
    pub port: Option<i32>,
    /// `appProtocol`: optional.
    pub app_protocol: Option<Str>,
}

impl EndpointPort {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: None, protocol: None, port: None, app_protocol: None };
}

client_rs_machinery::message!(EndpointPort, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointPort",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("protocol", Flags::OMIT_EMPTY),
        Field::new("port", Flags::OMIT_EMPTY),
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
            1 => FieldRef::value(&self.protocol),
            2 => FieldRef::value(&self.port),
            3 => FieldRef::value(&self.app_protocol),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.protocol),
            2 => FieldMut::value(&mut self.port),
            3 => FieldMut::value(&mut self.app_protocol),
            _ => FieldMut::NONE,
        }
    }
}
