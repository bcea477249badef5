// Made by `cargo xtask codegen` from schema: change those, not this.
use super::HTTPHeader;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{IntOrString, List, Str};

/// [HTTPGetAction](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#httpgetaction-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct HTTPGetAction {
    pub path: Str,
    pub port: IntOrString,
    pub host: Str,
    pub scheme: Str,
    pub http_headers: List<HTTPHeader>,
    pub protocol: Option<Str>,
}

impl HTTPGetAction {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        path: Str::EMPTY,
        port: IntOrString::ZERO,
        host: Str::EMPTY,
        scheme: Str::EMPTY,
        http_headers: List::EMPTY,
        protocol: None,
    };
}

client_rs_machinery::message!(HTTPGetAction, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "HTTPGetAction",
    type_meta: None,
    fields: &[
        Field::new("path", Flags::OMIT_EMPTY),
        Field::new("port", Flags::NONE),
        Field::new("host", Flags::OMIT_EMPTY),
        Field::new("scheme", Flags::OMIT_EMPTY),
        Field::new("httpHeaders", Flags::OMIT_EMPTY).of::<HTTPHeader>(),
        Field::new("protocol", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for HTTPGetAction {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.path,
            1 => &self.port,
            2 => &self.host,
            3 => &self.scheme,
            4 => &self.http_headers,
            5 => &self.protocol,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.path,
            1 => &mut self.port,
            2 => &mut self.host,
            3 => &mut self.scheme,
            4 => &mut self.http_headers,
            5 => &mut self.protocol,
            _ => return None,
        })
    }
}
