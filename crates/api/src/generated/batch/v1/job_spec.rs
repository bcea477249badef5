// Made by `cargo xtask codegen` from schema: change those, not this.
use super::JobSchedulingConfiguration;
use super::PodFailurePolicy;
use super::SuccessPolicy;
use crate::core::v1::PodTemplateSpec;
use client_rs_machinery::meta::v1::LabelSelector;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`JobSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct JobSpec {
    /// [`parallelism`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub parallelism: Option<i32>,
    /// [`completions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub completions: Option<i32>,
    /// [`activeDeadlineSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub active_deadline_seconds: Option<i64>,
    /// [`podFailurePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, since 1.25.
    pub pod_failure_policy: Option<Shared<PodFailurePolicy>>,
    /// [`successPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, since 1.30.
    pub success_policy: Option<Shared<SuccessPolicy>>,
    /// [`backoffLimit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub backoff_limit: Option<i32>,
    /// [`backoffLimitPerIndex`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, immutable, since 1.28.
    pub backoff_limit_per_index: Option<i32>,
    /// [`maxFailedIndexes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, since 1.28.
    pub max_failed_indexes: Option<i32>,
    /// [`selector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub selector: Option<Shared<LabelSelector>>,
    /// [`manualSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub manual_selector: Option<bool>,
    /// [`template`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): required.
    pub template: Shared<PodTemplateSpec>,
    /// [`ttlSecondsAfterFinished`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional.
    pub ttl_seconds_after_finished: Option<i32>,
    /// [`completionMode`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, since 1.21. One of `Indexed`, `NonIndexed`.
    pub completion_mode: Option<Str>,
    /// [`suspend`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, since 1.21. Defaults to `false`.
    pub suspend: Option<bool>,
    /// [`podReplacementPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, since 1.28. One of `Failed`, `TerminatingOrFailed`.
    pub pod_replacement_policy: Option<Str>,
    /// [`managedBy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, immutable, since 1.30.
    pub managed_by: Option<Str>,
    /// [`scheduling`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobspec-v1-batch): optional, immutable with exceptions, since 1.37. Updates can't set or clear it. Feature gate `WorkloadWithJob`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.parallelism),
            1 => FieldRef::value(&self.completions),
            2 => FieldRef::value(&self.active_deadline_seconds),
            3 => FieldRef::optional(&self.pod_failure_policy),
            4 => FieldRef::optional(&self.success_policy),
            5 => FieldRef::value(&self.backoff_limit),
            6 => FieldRef::value(&self.backoff_limit_per_index),
            7 => FieldRef::value(&self.max_failed_indexes),
            8 => FieldRef::optional(&self.selector),
            9 => FieldRef::value(&self.manual_selector),
            10 => FieldRef::shared(&self.template),
            11 => FieldRef::value(&self.ttl_seconds_after_finished),
            12 => FieldRef::value(&self.completion_mode),
            13 => FieldRef::value(&self.suspend),
            14 => FieldRef::value(&self.pod_replacement_policy),
            15 => FieldRef::value(&self.managed_by),
            16 => FieldRef::optional(&self.scheduling),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.parallelism),
            1 => FieldMut::value(&mut self.completions),
            2 => FieldMut::value(&mut self.active_deadline_seconds),
            3 => FieldMut::optional(&mut self.pod_failure_policy),
            4 => FieldMut::optional(&mut self.success_policy),
            5 => FieldMut::value(&mut self.backoff_limit),
            6 => FieldMut::value(&mut self.backoff_limit_per_index),
            7 => FieldMut::value(&mut self.max_failed_indexes),
            8 => FieldMut::optional(&mut self.selector),
            9 => FieldMut::value(&mut self.manual_selector),
            10 => FieldMut::shared(&mut self.template),
            11 => FieldMut::value(&mut self.ttl_seconds_after_finished),
            12 => FieldMut::value(&mut self.completion_mode),
            13 => FieldMut::value(&mut self.suspend),
            14 => FieldMut::value(&mut self.pod_replacement_policy),
            15 => FieldMut::value(&mut self.managed_by),
            16 => FieldMut::optional(&mut self.scheduling),
            _ => FieldMut::NONE,
        }
    }
}
