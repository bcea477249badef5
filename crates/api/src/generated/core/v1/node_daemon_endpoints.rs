// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DaemonEndpoint;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [NodeDaemonEndpoints](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodedaemonendpoints-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeDaemonEndpoints {
    pub kubelet_endpoint: DaemonEndpoint,
}

impl NodeDaemonEndpoints {
    /// Every field empty.
    pub const EMPTY: Self = Self { kubelet_endpoint: DaemonEndpoint::EMPTY };
}

client_rs_machinery::message!(NodeDaemonEndpoints, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeDaemonEndpoints",
    type_meta: None,
    fields: &[Field::new("kubeletEndpoint", Flags::OMIT_EMPTY).of::<DaemonEndpoint>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for NodeDaemonEndpoints {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.kubelet_endpoint,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.kubelet_endpoint,
            _ => return None,
        })
    }
}
