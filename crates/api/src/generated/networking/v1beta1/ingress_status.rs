// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressLoadBalancerStatus;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [IngressStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressstatus-v1beta1-networking-k8s-io) of `networking.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct IngressStatus {
    pub load_balancer: IngressLoadBalancerStatus,
}

impl IngressStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { load_balancer: IngressLoadBalancerStatus::EMPTY };
}

client_rs_machinery::message!(IngressStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressStatus",
    type_meta: None,
    fields: &[Field::new("loadBalancer", Flags::OMIT_EMPTY).of::<IngressLoadBalancerStatus>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for IngressStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.load_balancer,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.load_balancer,
            _ => return None,
        })
    }
}
