// Made by `cargo xtask codegen` from schema: change those, not this.
use super::JobSchedulingConfiguration;
use super::PodFailurePolicy;
use super::SuccessPolicy;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [JobSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct JobSpec {
    pub parallelism: Option<i32>,
    pub completions: Option<i32>,
    pub active_deadline_seconds: Option<i64>,
    pub pod_failure_policy: Option<Shared<PodFailurePolicy>>,
    pub success_policy: Option<Shared<SuccessPolicy>>,
    pub backoff_limit: Option<i32>,
    pub backoff_limit_per_index: Option<i32>,
    pub max_failed_indexes: Option<i32>,
    pub selector: Option<Shared<LabelSelector>>,
    pub manual_selector: Option<bool>,
    pub template: Shared<PodTemplateSpec>,
    pub ttl_seconds_after_finished: Option<i32>,
    pub completion_mode: Option<Str>,
    pub suspend: Option<bool>,
    pub pod_replacement_policy: Option<Str>,
    pub managed_by: Option<Str>,
    pub scheduling: Option<Shared<JobSchedulingConfiguration>>,
}

impl JobSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        parallelism: None,
        completions: None,
        active_deadline_seconds: None,
        pod_failure_policy: None,
        success_policy: None,
        backoff_limit: None,
        backoff_limit_per_index: None,
        max_failed_indexes: None,
        selector: None,
        manual_selector: None,
        template: Shared::DEFAULT,
        ttl_seconds_after_finished: None,
        completion_mode: None,
        suspend: None,
        pod_replacement_policy: None,
        managed_by: None,
        scheduling: None,
    };
}

client_rs_machinery::message!(JobSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "JobSpec",
    type_meta: None,
    fields: &[
        Field::new("parallelism", Flags::OMIT_EMPTY),
        Field::new("completions", Flags::OMIT_EMPTY),
        Field::new("activeDeadlineSeconds", Flags::OMIT_EMPTY),
        Field::new("podFailurePolicy", Flags::OMIT_EMPTY).of::<PodFailurePolicy>(),
        Field::new("successPolicy", Flags::OMIT_EMPTY).of::<SuccessPolicy>(),
        Field::new("backoffLimit", Flags::OMIT_EMPTY),
        Field::new("backoffLimitPerIndex", Flags::OMIT_EMPTY),
        Field::new("maxFailedIndexes", Flags::OMIT_EMPTY),
        Field::new("selector", Flags::OMIT_EMPTY).of::<LabelSelector>(),
        Field::new("manualSelector", Flags::OMIT_EMPTY),
        Field::new("template", Flags::NONE).of::<PodTemplateSpec>(),
        Field::new("ttlSecondsAfterFinished", Flags::OMIT_EMPTY),
        Field::new("completionMode", Flags::OMIT_EMPTY),
        Field::new("suspend", Flags::OMIT_EMPTY),
        Field::new("podReplacementPolicy", Flags::OMIT_EMPTY),
        Field::new("managedBy", Flags::OMIT_EMPTY),
        Field::new("scheduling", Flags::OMIT_EMPTY).of::<JobSchedulingConfiguration>(),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 8),
        Wire::field(5, 9),
        Wire::field(6, 10),
        Wire::field(7, 5),
        Wire::field(8, 11),
        Wire::field(9, 12),
        Wire::field(10, 13),
        Wire::field(11, 3),
        Wire::field(12, 6),
        Wire::field(13, 7),
        Wire::field(14, 14),
        Wire::field(15, 15),
        Wire::field(16, 4),
        Wire::field(17, 16),
    ],
};

impl Fields for JobSpec {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.parallelism,
            1 => &self.completions,
            2 => &self.active_deadline_seconds,
            3 => &self.pod_failure_policy,
            4 => &self.success_policy,
            5 => &self.backoff_limit,
            6 => &self.backoff_limit_per_index,
            7 => &self.max_failed_indexes,
            8 => &self.selector,
            9 => &self.manual_selector,
            10 => &self.template,
            11 => &self.ttl_seconds_after_finished,
            12 => &self.completion_mode,
            13 => &self.suspend,
            14 => &self.pod_replacement_policy,
            15 => &self.managed_by,
            16 => &self.scheduling,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.parallelism,
            1 => &mut self.completions,
            2 => &mut self.active_deadline_seconds,
            3 => &mut self.pod_failure_policy,
            4 => &mut self.success_policy,
            5 => &mut self.backoff_limit,
            6 => &mut self.backoff_limit_per_index,
            7 => &mut self.max_failed_indexes,
            8 => &mut self.selector,
            9 => &mut self.manual_selector,
            10 => &mut self.template,
            11 => &mut self.ttl_seconds_after_finished,
            12 => &mut self.completion_mode,
            13 => &mut self.suspend,
            14 => &mut self.pod_replacement_policy,
            15 => &mut self.managed_by,
            16 => &mut self.scheduling,
            _ => return None,
        })
    }
}
