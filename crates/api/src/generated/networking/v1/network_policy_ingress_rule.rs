// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkPolicyPeer;
use super::NetworkPolicyPort;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NetworkPolicyIngressRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyingressrule-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicyIngressRule {
    /// [`ports`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyingressrule-v1-networking-k8s-io): optional. Apply replaces the list.
    pub ports: List<NetworkPolicyPort>,
    /// [`from`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyingressrule-v1-networking-k8s-io): optional. Apply replaces the list.
    pub from: List<NetworkPolicyPeer>,
}

impl NetworkPolicyIngressRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { ports: List::EMPTY, from: List::EMPTY };
}

client_rs_machinery::message!(NetworkPolicyIngressRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkPolicyIngressRule",
    type_meta: None,
    fields: &[
        Field::new("ports", Flags::OMIT_EMPTY).of::<NetworkPolicyPort>(),
        Field::new("from", Flags::OMIT_EMPTY).of::<NetworkPolicyPeer>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NetworkPolicyIngressRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.ports),
            1 => FieldRef::list(&self.from),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.ports),
            1 => FieldMut::list(&mut self.from),
            _ => FieldMut::NONE,
        }
    }
}
