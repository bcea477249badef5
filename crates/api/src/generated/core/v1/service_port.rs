// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{IntOrString, Str};

/// [ServicePort](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#serviceport-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ServicePort {
    pub name: Str,
    pub protocol: Str,
    pub app_protocol: Option<Str>,
    pub port: i32,
    pub target_port: IntOrString,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.protocol,
            2 => &self.app_protocol,
            3 => &self.port,
            4 => &self.target_port,
            5 => &self.node_port,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.protocol,
            2 => &mut self.app_protocol,
            3 => &mut self.port,
            4 => &mut self.target_port,
            5 => &mut self.node_port,
            _ => return None,
        })
    }
}
