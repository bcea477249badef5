// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatefulSetCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`StatefulSetStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetStatus {
    /// [`observedGeneration`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub observed_generation: i64,
    /// [`replicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): required.
    pub replicas: i32,
    /// [`readyReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub ready_replicas: i32,
    /// [`currentReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub current_replicas: i32,
    /// [`updatedReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub updated_replicas: i32,
    /// [`currentRevision`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub current_revision: Str,
    /// [`updateRevision`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub update_revision: Str,
    /// [`collisionCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional.
    pub collision_count: Option<i32>,
    /// [`conditions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<StatefulSetCondition>,
    /// [`availableReplicas`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1-apps): optional, since 1.22.
    pub available_replicas: i32,
}

impl StatefulSetStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        observed_generation: 0,
        replicas: 0,
        ready_replicas: 0,
        current_replicas: 0,
        updated_replicas: 0,
        current_revision: Str::EMPTY,
        update_revision: Str::EMPTY,
        collision_count: None,
        conditions: List::EMPTY,
        available_replicas: 0,
    };
}

client_rs_machinery::message!(StatefulSetStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSetStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("replicas", Flags::NONE),
        Field::new("readyReplicas", Flags::OMIT_EMPTY),
        Field::new("currentReplicas", Flags::OMIT_EMPTY),
        Field::new("updatedReplicas", Flags::OMIT_EMPTY),
        Field::new("currentRevision", Flags::OMIT_EMPTY),
        Field::new("updateRevision", Flags::OMIT_EMPTY),
        Field::new("collisionCount", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<StatefulSetCondition>()
            .merged_by("type"),
        Field::new("availableReplicas", Flags::NONE),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
        Wire::field(9, 7),
        Wire::field(10, 8),
        Wire::field(11, 9),
    ],
};

impl Fields for StatefulSetStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.observed_generation),
            1 => FieldRef::value(&self.replicas),
            2 => FieldRef::value(&self.ready_replicas),
            3 => FieldRef::value(&self.current_replicas),
            4 => FieldRef::value(&self.updated_replicas),
            5 => FieldRef::value(&self.current_revision),
            6 => FieldRef::value(&self.update_revision),
            7 => FieldRef::value(&self.collision_count),
            8 => FieldRef::list(&self.conditions),
            9 => FieldRef::value(&self.available_replicas),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.observed_generation),
            1 => FieldMut::value(&mut self.replicas),
            2 => FieldMut::value(&mut self.ready_replicas),
            3 => FieldMut::value(&mut self.current_replicas),
            4 => FieldMut::value(&mut self.updated_replicas),
            5 => FieldMut::value(&mut self.current_revision),
            6 => FieldMut::value(&mut self.update_revision),
            7 => FieldMut::value(&mut self.collision_count),
            8 => FieldMut::list(&mut self.conditions),
            9 => FieldMut::value(&mut self.available_replicas),
            _ => FieldMut::NONE,
        }
    }
}
