// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkPolicyEgressRule;
use super::NetworkPolicyIngressRule;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [NetworkPolicySpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#networkpolicyspec-v1beta1-extensions) of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicySpec {
    pub pod_selector: LabelSelector,
    pub ingress: List<NetworkPolicyIngressRule>,
    pub egress: List<NetworkPolicyEgressRule>,
    pub policy_types: List<Str>,
}

impl NetworkPolicySpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        pod_selector: LabelSelector::EMPTY,
        ingress: List::EMPTY,
        egress: List::EMPTY,
        policy_types: List::EMPTY,
    };
}

client_rs_machinery::message!(NetworkPolicySpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NetworkPolicySpec",
    type_meta: None,
    fields: &[
        Field::new("podSelector", Flags::NONE).of::<LabelSelector>(),
        Field::new("ingress", Flags::OMIT_EMPTY).of::<NetworkPolicyIngressRule>(),
        Field::new("egress", Flags::OMIT_EMPTY).of::<NetworkPolicyEgressRule>(),
        Field::new("policyTypes", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for NetworkPolicySpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.pod_selector,
            1 => &self.ingress,
            2 => &self.egress,
            3 => &self.policy_types,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.pod_selector,
            1 => &mut self.ingress,
            2 => &mut self.egress,
            3 => &mut self.policy_types,
            _ => return None,
        })
    }
}
