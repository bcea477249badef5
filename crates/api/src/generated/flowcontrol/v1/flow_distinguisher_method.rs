// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [FlowDistinguisherMethod](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flowdistinguishermethod-v1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct FlowDistinguisherMethod {
    pub type_: Str,
}

impl FlowDistinguisherMethod {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY };
}

client_rs_machinery::message!(FlowDistinguisherMethod, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlowDistinguisherMethod",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for FlowDistinguisherMethod {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            _ => return None,
        })
    }
}
