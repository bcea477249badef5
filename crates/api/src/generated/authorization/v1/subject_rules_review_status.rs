// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NonResourceRule;
use super::ResourceRule;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`SubjectRulesReviewStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectrulesreviewstatus-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct SubjectRulesReviewStatus {
    /// [`resourceRules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectrulesreviewstatus-v1-authorization-k8s-io): required. Apply replaces the list.
    pub resource_rules: List<ResourceRule>,
    /// [`nonResourceRules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectrulesreviewstatus-v1-authorization-k8s-io): required. Apply replaces the list.
    pub non_resource_rules: List<NonResourceRule>,
    /// [`incomplete`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectrulesreviewstatus-v1-authorization-k8s-io): required.
    pub incomplete: bool,
    /// [`evaluationError`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectrulesreviewstatus-v1-authorization-k8s-io): optional.
    pub evaluation_error: Str,
}

impl SubjectRulesReviewStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        resource_rules: List::EMPTY,
        non_resource_rules: List::EMPTY,
        incomplete: false,
        evaluation_error: Str::EMPTY,
    };
}

client_rs_machinery::message!(SubjectRulesReviewStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SubjectRulesReviewStatus",
    type_meta: None,
    fields: &[
        Field::new("resourceRules", Flags::NONE).of::<ResourceRule>(),
        Field::new("nonResourceRules", Flags::NONE).of::<NonResourceRule>(),
        Field::new("incomplete", Flags::NONE),
        Field::new("evaluationError", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for SubjectRulesReviewStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.resource_rules),
            1 => FieldRef::list(&self.non_resource_rules),
            2 => FieldRef::value(&self.incomplete),
            3 => FieldRef::value(&self.evaluation_error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.resource_rules),
            1 => FieldMut::list(&mut self.non_resource_rules),
            2 => FieldMut::value(&mut self.incomplete),
            3 => FieldMut::value(&mut self.evaluation_error),
            _ => FieldMut::NONE,
        }
    }
}
