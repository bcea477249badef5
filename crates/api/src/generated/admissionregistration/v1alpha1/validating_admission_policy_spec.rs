// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AuditAnnotation;
use super::MatchCondition;
use super::MatchResources;
use super::ParamKind;
use super::Validation;
use super::Variable;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [`ValidatingAdmissionPolicySpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicySpec {
    /// [`paramKind`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub param_kind: Option<Shared<ParamKind>>,
    /// [`matchConstraints`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub match_constraints: Option<Shared<MatchResources>>,
    /// [`validations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional.
    pub validations: List<Validation>,
    /// [`failurePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional. One of `Fail`, `Ignore`. Defaults to `Fail`.
    pub failure_policy: Option<Str>,
    /// [`auditAnnotations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional, since 1.27.
    pub audit_annotations: List<AuditAnnotation>,
    /// [`matchConditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional, since 1.27. Strategic merge patch merges entries by `name`.
    pub match_conditions: List<MatchCondition>,
    /// [`variables`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1alpha1-admissionregistration-k8s-io): optional, since 1.28. Strategic merge patch merges entries by `name`.
    pub variables: List<Variable>,
}

impl ValidatingAdmissionPolicySpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        param_kind: None,
        match_constraints: None,
        validations: List::EMPTY,
        failure_policy: None,
        audit_annotations: List::EMPTY,
        match_conditions: List::EMPTY,
        variables: List::EMPTY,
    };
}

client_rs_machinery::message!(ValidatingAdmissionPolicySpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidatingAdmissionPolicySpec",
    type_meta: None,
    fields: &[
        Field::new("paramKind", Flags::OMIT_EMPTY).of::<ParamKind>(),
        Field::new("matchConstraints", Flags::OMIT_EMPTY).of::<MatchResources>(),
        Field::new("validations", Flags::OMIT_EMPTY).of::<Validation>(),
        Field::new("failurePolicy", Flags::OMIT_EMPTY),
        Field::new("auditAnnotations", Flags::OMIT_EMPTY).of::<AuditAnnotation>(),
        Field::new("matchConditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<MatchCondition>()
            .merged_by("name"),
        Field::new("variables", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE)).of::<Variable>().merged_by("name"),
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

impl Fields for ValidatingAdmissionPolicySpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.param_kind),
            1 => FieldRef::optional(&self.match_constraints),
            2 => FieldRef::list(&self.validations),
            3 => FieldRef::value(&self.failure_policy),
            4 => FieldRef::list(&self.audit_annotations),
            5 => FieldRef::list(&self.match_conditions),
            6 => FieldRef::list(&self.variables),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.param_kind),
            1 => FieldMut::optional(&mut self.match_constraints),
            2 => FieldMut::list(&mut self.validations),
            3 => FieldMut::value(&mut self.failure_policy),
            4 => FieldMut::list(&mut self.audit_annotations),
            5 => FieldMut::list(&mut self.match_conditions),
            6 => FieldMut::list(&mut self.variables),
            _ => FieldMut::NONE,
        }
    }
}
