// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MatchResources;
use super::ParamRef;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`MutatingAdmissionPolicyBindingSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct MutatingAdmissionPolicyBindingSpec {
    /// [`policyName`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub policy_name: Str,
    /// [`paramRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub param_ref: Option<Shared<ParamRef>>,
    /// [`matchResources`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicybindingspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub match_resources: Option<Shared<MatchResources>>,
}

impl MutatingAdmissionPolicyBindingSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { policy_name: Str::EMPTY, param_ref: None, match_resources: None };
}

client_rs_machinery::message!(MutatingAdmissionPolicyBindingSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MutatingAdmissionPolicyBindingSpec",
    type_meta: None,
    fields: &[
        Field::new("policyName", Flags::OMIT_EMPTY),
        Field::new("paramRef", Flags::OMIT_EMPTY).of::<ParamRef>(),
        Field::new("matchResources", Flags::OMIT_EMPTY).of::<MatchResources>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for MutatingAdmissionPolicyBindingSpec {
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
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.policy_name),
            1 => FieldMut::optional(&mut self.param_ref),
            2 => FieldMut::optional(&mut self.match_resources),
            _ => FieldMut::NONE,
        }
    }
}
