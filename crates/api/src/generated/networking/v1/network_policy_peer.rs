// Made by `cargo xtask codegen` from schema: change those, not this.
use super::IPBlock;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`NetworkPolicyPeer`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicypeer-v1-networking-k8s-io) of `networking.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicyPeer {
    /// [`podSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicypeer-v1-networking-k8s-io): optional.
    pub pod_selector: Option<Shared<LabelSelector>>,
    /// [`namespaceSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicypeer-v1-networking-k8s-io): optional.
    pub namespace_selector: Option<Shared<LabelSelector>>,
    /// [`ipBlock`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicypeer-v1-networking-k8s-io): optional.
    pub ip_block: Option<Shared<IPBlock>>,
}

impl NetworkPolicyPeer {
    /// Every field empty.
    pub const EMPTY: Self = Self { pod_selector: None, namespace_selector: None, ip_block: None };
}

client_rs_machinery::message!(NetworkPolicyPeer, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkPolicyPeer",
    type_meta: None,
    fields: &[
        Field::new("podSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("namespaceSelector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("ipBlock", Flags::OMIT_EMPTY).of::<IPBlock>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for NetworkPolicyPeer {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.pod_selector),
            1 => FieldRef::optional(&self.namespace_selector),
            2 => FieldRef::optional(&self.ip_block),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.pod_selector),
            1 => FieldMut::optional(&mut self.namespace_selector),
            2 => FieldMut::optional(&mut self.ip_block),
            _ => FieldMut::NONE,
        }
    }
}
