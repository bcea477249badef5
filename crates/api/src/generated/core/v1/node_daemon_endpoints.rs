// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DaemonEndpoint;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NodeDaemonEndpoints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodedaemonendpoints-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeDaemonEndpoints {
    /// [`kubeletEndpoint`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodedaemonendpoints-v1-core): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.kubelet_endpoint),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.kubelet_endpoint),
            _ => FieldMut::NONE,
        }
    }
}
