// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NetworkPolicyEgressRule;
use super::NetworkPolicyIngressRule;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `NetworkPolicySpec` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NetworkPolicySpec {
    /// `podSelector`: optional.
    pub pod_selector: LabelSelector,
    /// `ingress`: optional. Apply replaces the list.
    pub ingress: List<NetworkPolicyIngressRule>,
    /// `egress`: optional. Apply replaces the list.
    pub egress: List<NetworkPolicyEgressRule>,
    /// `policyTypes`: optional. Known values: `Egress`, `Ingress`. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.pod_selector),
            1 => FieldRef::list(&self.ingress),
            2 => FieldRef::list(&self.egress),
            3 => FieldRef::value(&self.policy_types),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.pod_selector),
            1 => FieldMut::list(&mut self.ingress),
            2 => FieldMut::list(&mut self.egress),
            3 => FieldMut::value(&mut self.policy_types),
            _ => FieldMut::NONE,
        }
    }
}
