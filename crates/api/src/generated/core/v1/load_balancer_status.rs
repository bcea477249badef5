// Made by `cargo xtask codegen` from schema: change those, not this.
use super::LoadBalancerIngress;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [LoadBalancerStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#loadbalancerstatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LoadBalancerStatus {
    pub ingress: List<LoadBalancerIngress>,
}

impl LoadBalancerStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { ingress: List::EMPTY };
}

client_rs_machinery::message!(LoadBalancerStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LoadBalancerStatus",
    type_meta: None,
    fields: &[Field::new("ingress", Flags::OMIT_EMPTY).of::<LoadBalancerIngress>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for LoadBalancerStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.ingress,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.ingress,
            _ => return None,
        })
    }
}
