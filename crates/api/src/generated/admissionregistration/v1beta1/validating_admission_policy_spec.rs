// Made by `cargo xtask codegen` from schema: change those, not this.
use super::AuditAnnotation;
use super::MatchCondition;
use super::MatchResources;
use super::ParamKind;
use super::Validation;
use super::Variable;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared, Str};

/// [ValidatingAdmissionPolicySpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validatingadmissionpolicyspec-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ValidatingAdmissionPolicySpec {
    pub param_kind: Option<Shared<ParamKind>>,
    pub match_constraints: Option<Shared<MatchResources>>,
    pub validations: List<Validation>,
    pub failure_policy: Option<Str>,
    pub audit_annotations: List<AuditAnnotation>,
    pub match_conditions: List<MatchCondition>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.param_kind,
            1 => &self.match_constraints,
            2 => &self.validations,
            3 => &self.failure_policy,
            4 => &self.audit_annotations,
            5 => &self.match_conditions,
            6 => &self.variables,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.param_kind,
            1 => &mut self.match_constraints,
            2 => &mut self.validations,
            3 => &mut self.failure_policy,
            4 => &mut self.audit_annotations,
            5 => &mut self.match_conditions,
            6 => &mut self.variables,
            _ => return None,
        })
    }
}
