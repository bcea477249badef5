// Made by `cargo xtask codegen` from schema: change those, not this.
use super::JobTemplateSpec;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`CronJobSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct CronJobSpec {
    /// [`schedule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): required.
    pub schedule: Str,
    /// [`timeZone`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): optional, since 1.24.
    pub time_zone: Option<Str>,
    /// [`startingDeadlineSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): optional.
    pub starting_deadline_seconds: Option<i64>,
    /// [`concurrencyPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): optional. One of `Allow`, `Forbid`, `Replace`.
    pub concurrency_policy: Str,
    /// [`suspend`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): optional. Defaults to `false`.
    pub suspend: Option<bool>,
    /// [`jobTemplate`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): required.
    pub job_template: Shared<JobTemplateSpec>,
    /// [`successfulJobsHistoryLimit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): optional. Defaults to `3`.
    pub successful_jobs_history_limit: Option<i32>,
    /// [`failedJobsHistoryLimit`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobspec-v1-batch): optional. Defaults to `1`.
    pub failed_jobs_history_limit: Option<i32>,
}

impl CronJobSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        schedule: Str::EMPTY,
        time_zone: None,
        starting_deadline_seconds: None,
        concurrency_policy: Str::EMPTY,
        suspend: None,
        job_template: Shared::DEFAULT,
        successful_jobs_history_limit: None,
        failed_jobs_history_limit: None,
    };
}

client_rs_machinery::message!(CronJobSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CronJobSpec",
    type_meta: None,
    fields: &[
        Field::new("schedule", Flags::NONE),
        Field::new("timeZone", Flags::OMIT_EMPTY),
        Field::new("startingDeadlineSeconds", Flags::OMIT_EMPTY),
        Field::new("concurrencyPolicy", Flags::OMIT_EMPTY),
        Field::new("suspend", Flags::OMIT_EMPTY),
        Field::new("jobTemplate", Flags::NONE).of::<JobTemplateSpec>(),
        Field::new("successfulJobsHistoryLimit", Flags::OMIT_EMPTY),
        Field::new("failedJobsHistoryLimit", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 2),
        Wire::field(3, 3),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 6),
        Wire::field(7, 7),
        Wire::field(8, 1),
    ],
};

impl Fields for CronJobSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.schedule),
            1 => FieldRef::value(&self.time_zone),
            2 => FieldRef::value(&self.starting_deadline_seconds),
            3 => FieldRef::value(&self.concurrency_policy),
            4 => FieldRef::value(&self.suspend),
            5 => FieldRef::shared(&self.job_template),
            6 => FieldRef::value(&self.successful_jobs_history_limit),
            7 => FieldRef::value(&self.failed_jobs_history_limit),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.schedule),
            1 => FieldMut::value(&mut self.time_zone),
            2 => FieldMut::value(&mut self.starting_deadline_seconds),
            3 => FieldMut::value(&mut self.concurrency_policy),
            4 => FieldMut::value(&mut self.suspend),
            5 => FieldMut::shared(&mut self.job_template),
            6 => FieldMut::value(&mut self.successful_jobs_history_limit),
            7 => FieldMut::value(&mut self.failed_jobs_history_limit),
            _ => FieldMut::NONE,
        }
    }
}
