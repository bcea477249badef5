// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EndpointConditions](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#endpointconditions-v1beta1-discovery-k8s-io) of `discovery.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct EndpointConditions {
    pub ready: Option<bool>,
    pub serving: Option<bool>,
    pub terminating: Option<bool>,
}

impl EndpointConditions {
    /// Every field empty.
    pub const EMPTY: Self = Self { ready: None, serving: None, terminating: None };
}

client_rs_machinery::message!(EndpointConditions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EndpointConditions",
    type_meta: None,
    fields: &[
        Field::new("ready", Flags::OMIT_EMPTY),
        Field::new("serving", Flags::OMIT_EMPTY),
        Field::new("terminating", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EndpointConditions {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.ready,
            1 => &self.serving,
            2 => &self.terminating,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.ready,
            1 => &mut self.serving,
            2 => &mut self.terminating,
            _ => return None,
        })
    }
}
