// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NonResourceRule;
use super::ResourceRule;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [SubjectRulesReviewStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectrulesreviewstatus-v1-authorization-k8s-io) of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct SubjectRulesReviewStatus {
    pub resource_rules: List<ResourceRule>,
    pub non_resource_rules: List<NonResourceRule>,
    pub incomplete: bool,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.resource_rules,
            1 => &self.non_resource_rules,
            2 => &self.incomplete,
            3 => &self.evaluation_error,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.resource_rules,
            1 => &mut self.non_resource_rules,
            2 => &mut self.incomplete,
            3 => &mut self.evaluation_error,
            _ => return None,
        })
    }
}
