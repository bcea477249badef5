// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IngressPortStatus;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`IngressLoadBalancerIngress`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressloadbalanceringress-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct IngressLoadBalancerIngress {
    /// [`ip`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressloadbalanceringress-v1-networking-k8s-io): optional.
    pub ip: Str,
    /// [`hostname`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressloadbalanceringress-v1-networking-k8s-io): optional.
    pub hostname: Str,
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingressloadbalanceringress-v1-networking-k8s-io): optional. Apply replaces the list.
    pub ports: List<IngressPortStatus>,
}

impl IngressLoadBalancerIngress {
    /// Every field empty.
    pub const EMPTY: Self = Self { ip: Str::EMPTY, hostname: Str::EMPTY, ports: List::EMPTY };
}

client_rs_machinery::message!(IngressLoadBalancerIngress, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "IngressLoadBalancerIngress",
    type_meta: None,
    fields: &[
        Field::new("ip", Flags::OMIT_EMPTY),
        Field::new("hostname", Flags::OMIT_EMPTY),
        Field::new("ports", Flags::OMIT_EMPTY).of::<IngressPortStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(4, 2)],
};

impl Fields for IngressLoadBalancerIngress {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.ip),
            1 => FieldRef::value(&self.hostname),
            2 => FieldRef::list(&self.ports),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.ip),
            1 => FieldMut::value(&mut self.hostname),
            2 => FieldMut::list(&mut self.ports),
            _ => FieldMut::NONE,
        }
    }
}
