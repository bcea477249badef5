// Made by `cargo xtask codegen` from schema: change those, not this.
use super::MatchCondition;
use super::MatchResources;
use super::Mutation;
use super::ParamKind;
use super::Variable;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`MutatingAdmissionPolicySpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct MutatingAdmissionPolicySpec {
    /// [`paramKind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub param_kind: Option<Shared<ParamKind>>,
    /// [`matchConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub match_constraints: Option<Shared<MatchResources>>,
    /// [`variables`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub variables: List<Variable>,
    /// [`mutations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional. Apply replaces the list.
    pub mutations: List<Mutation>,
    /// [`failurePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional. One of `Fail`, `Ignore`. Defaults to `Fail`.
    pub failure_policy: Option<Str>,
    /// [`matchConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional. Apply and strategic merge patch merge entries by `name`.
    pub match_conditions: List<MatchCondition>,
    /// [`reinvocationPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#mutatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional. One of `IfNeeded`, `Never`.
    pub reinvocation_policy: Str,
}

impl MutatingAdmissionPolicySpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        param_kind: None,
        match_constraints: None,
        variables: List::EMPTY,
        mutations: List::EMPTY,
        failure_policy: None,
        match_conditions: List::EMPTY,
        reinvocation_policy: Str::EMPTY,
    };
}

client_rs_machinery::message!(MutatingAdmissionPolicySpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MutatingAdmissionPolicySpec",
    type_meta: None,
    fields: &[
        Field::new("paramKind", Flags::OMIT_EMPTY).of::<ParamKind>(),
        Field::new("matchConstraints", Flags::OMIT_EMPTY).of::<MatchResources>(),
        Field::new("variables", Flags::OMIT_EMPTY).of::<Variable>(),
        Field::new("mutations", Flags::OMIT_EMPTY).of::<Mutation>(),
        Field::new("failurePolicy", Flags::OMIT_EMPTY),
        Field::new("matchConditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<MatchCondition>()
            .merged_by("name"),
        Field::new("reinvocationPolicy", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for MutatingAdmissionPolicySpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.param_kind),
            1 => FieldRef::optional(&self.match_constraints),
            2 => FieldRef::list(&self.variables),
            3 => FieldRef::list(&self.mutations),
            4 => FieldRef::value(&self.failure_policy),
            5 => FieldRef::list(&self.match_conditions),
            6 => FieldRef::value(&self.reinvocation_policy),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.param_kind),
            1 => FieldMut::optional(&mut self.match_constraints),
            2 => FieldMut::list(&mut self.variables),
            3 => FieldMut::list(&mut self.mutations),
            4 => FieldMut::value(&mut self.failure_policy),
            5 => FieldMut::list(&mut self.match_conditions),
            6 => FieldMut::value(&mut self.reinvocation_policy),
            _ => FieldMut::NONE,
        }
    }
}
