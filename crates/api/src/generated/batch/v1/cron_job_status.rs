// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::core::v1::ObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Time};

/// [`CronJobStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobstatus-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct CronJobStatus {
    /// [`active`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobstatus-v1-batch): optional. Apply replaces the list.
    pub active: List<ObjectReference>,
    /// [`lastScheduleTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobstatus-v1-batch): optional.
    pub last_schedule_time: Option<Time>,
    /// [`lastSuccessfulTime`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#cronjobstatus-v1-batch): optional.
    pub last_successful_time: Option<Time>,
}

impl CronJobStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { active: List::EMPTY, last_schedule_time: None, last_successful_time: None };
}

client_rs_machinery::message!(CronJobStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CronJobStatus",
    type_meta: None,
    fields: &[
        Field::new("active", Flags::OMIT_EMPTY).of::<ObjectReference>(),
        Field::new("lastScheduleTime", Flags::OMIT_EMPTY),
        Field::new("lastSuccessfulTime", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(4, 1), Wire::field(5, 2)],
};

impl Fields for CronJobStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.active),
            1 => FieldRef::value(&self.last_schedule_time),
            2 => FieldRef::value(&self.last_successful_time),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.active),
            1 => FieldMut::value(&mut self.last_schedule_time),
            2 => FieldMut::value(&mut self.last_successful_time),
            _ => FieldMut::NONE,
        }
    }
}
