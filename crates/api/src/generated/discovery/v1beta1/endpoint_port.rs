// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EndpointPort](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointport-v1beta1-discovery-k8s-io) of `discovery.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct EndpointPort {
    pub name: Option<Str>,
    pub protocol: Option<Str>,
    pub port: Option<i32>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.protocol,
            2 => &self.port,
            3 => &self.app_protocol,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.protocol,
            2 => &mut self.port,
            3 => &mut self.app_protocol,
            _ => return None,
        })
    }
}
