// Made by `cargo xtask codegen` from schema: change those, not this.
use super::JobCondition;
use super::UncountedTerminatedPods;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Shared, Str, Time};

/// [`JobStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct JobStatus {
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional. Apply replaces the list. Strategic merge patch merges entries by `type`.
    pub conditions: List<JobCondition>,
    /// [`startTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional.
    pub start_time: Option<Time>,
    /// [`completionTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional.
    pub completion_time: Option<Time>,
    /// [`active`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional.
    pub active: i32,
    /// [`succeeded`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional.
    pub succeeded: i32,
    /// [`failed`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional.
    pub failed: i32,
    /// [`terminating`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional, since 1.28.
    pub terminating: Option<i32>,
    /// [`completedIndexes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional, since 1.21.
    pub completed_indexes: Str,
    /// [`failedIndexes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional, since 1.28.
    pub failed_indexes: Option<Str>,
    /// [`uncountedTerminatedPods`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional, since 1.22.
    pub uncounted_terminated_pods: Option<Shared<UncountedTerminatedPods>>,
    /// [`ready`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jobstatus-v1-batch): optional, since 1.23.
    pub ready: Option<i32>,
}

impl JobStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        conditions: List::EMPTY,
        start_time: None,
        completion_time: None,
        active: 0,
        succeeded: 0,
        failed: 0,
        terminating: None,
        completed_indexes: Str::EMPTY,
        failed_indexes: None,
        uncounted_terminated_pods: None,
        ready: None,
    };
}

client_rs_machinery::message!(JobStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "JobStatus",
    type_meta: None,
    fields: &[
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<JobCondition>()
            .merged_by("type"),
        Field::new("startTime", Flags::OMIT_EMPTY),
        Field::new("completionTime", Flags::OMIT_EMPTY),
        Field::new("active", Flags::OMIT_EMPTY),
        Field::new("succeeded", Flags::OMIT_EMPTY),
        Field::new("failed", Flags::OMIT_EMPTY),
        Field::new("terminating", Flags::OMIT_EMPTY),
        Field::new("completedIndexes", Flags::OMIT_EMPTY),
        Field::new("failedIndexes", Flags::OMIT_EMPTY),
        Field::new("uncountedTerminatedPods", Flags::OMIT_EMPTY).of::<UncountedTerminatedPods>(),
        Field::new("ready", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 7),
        Wire::field(8, 9),
        Wire::field(9, 10),
        Wire::field(10, 8),
        Wire::field(11, 6),
    ],
};

impl Fields for JobStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.conditions),
            1 => FieldRef::value(&self.start_time),
            2 => FieldRef::value(&self.completion_time),
            3 => FieldRef::value(&self.active),
            4 => FieldRef::value(&self.succeeded),
            5 => FieldRef::value(&self.failed),
            6 => FieldRef::value(&self.terminating),
            7 => FieldRef::value(&self.completed_indexes),
            8 => FieldRef::value(&self.failed_indexes),
            9 => FieldRef::optional(&self.uncounted_terminated_pods),
            10 => FieldRef::value(&self.ready),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.conditions),
            1 => FieldMut::value(&mut self.start_time),
            2 => FieldMut::value(&mut self.completion_time),
            3 => FieldMut::value(&mut self.active),
            4 => FieldMut::value(&mut self.succeeded),
            5 => FieldMut::value(&mut self.failed),
            6 => FieldMut::value(&mut self.terminating),
            7 => FieldMut::value(&mut self.completed_indexes),
            8 => FieldMut::value(&mut self.failed_indexes),
            9 => FieldMut::optional(&mut self.uncounted_terminated_pods),
            10 => FieldMut::value(&mut self.ready),
            _ => FieldMut::NONE,
        }
    }
}
