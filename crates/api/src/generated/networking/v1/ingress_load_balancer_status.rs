// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressLoadBalancerIngress;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`IngressLoadBalancerStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressloadbalancerstatus-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressLoadBalancerStatus {
    /// [`ingress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressloadbalancerstatus-v1-networking-k8s-io): optional. Apply replaces the list.
    pub ingress: List<IngressLoadBalancerIngress>,
}

impl IngressLoadBalancerStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { ingress: List::EMPTY };
}

client_rs_machinery::message!(IngressLoadBalancerStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressLoadBalancerStatus",
    type_meta: None,
    fields: &[Field::new("ingress", Flags::OMIT_EMPTY).of::<IngressLoadBalancerIngress>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for IngressLoadBalancerStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.ingress),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.ingress),
            _ => FieldMut::NONE,
        }
    }
}
