// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MatchResources;
use super::ParamRef;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`ValidatingAdmissionPolicyBindingSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicyBindingSpec {
    /// [`policyName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub policy_name: Str,
    /// [`paramRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub param_ref: Option<Shared<ParamRef>>,
    /// [`matchResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub match_resources: Option<Shared<MatchResources>>,
    /// [`validationActions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional, since 1.27. One of `Audit`, `Deny`, `Warn`.
    pub validation_actions: List<Str>,
}

impl ValidatingAdmissionPolicyBindingSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        policy_name: Str::EMPTY,
        param_ref: None,
        match_resources: None,
        validation_actions: List::EMPTY,
    };
}

client_rs_machinery::message!(ValidatingAdmissionPolicyBindingSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingAdmissionPolicyBindingSpec",
    type_meta: None,
    fields: &[
        Field::new("policyName", Flags::OMIT_EMPTY),
        Field::new("paramRef", Flags::OMIT_EMPTY).of::<ParamRef>(),
        Field::new("matchResources", Flags::OMIT_EMPTY).of::<MatchResources>(),
        Field::new("validationActions", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for ValidatingAdmissionPolicyBindingSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.policy_name),
            1 => FieldRef::optional(&self.param_ref),
            2 => FieldRef::optional(&self.match_resources),
            3 => FieldRef::value(&self.validation_actions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.policy_name),
            1 => FieldMut::optional(&mut self.param_ref),
            2 => FieldMut::optional(&mut self.match_resources),
            3 => FieldMut::value(&mut self.validation_actions),
            _ => FieldMut::NONE,
        }
    }
}
