// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StatefulSetCondition;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [StatefulSetStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#statefulsetstatus-v1beta2-apps) of `apps/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetStatus {
    pub observed_generation: i64,
    pub replicas: i32,
    pub ready_replicas: i32,
    pub current_replicas: i32,
    pub updated_replicas: i32,
    pub current_revision: Str,
    pub update_revision: Str,
    pub collision_count: Option<i32>,
    pub conditions: List<StatefulSetCondition>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.observed_generation,
            1 => &self.replicas,
            2 => &self.ready_replicas,
            3 => &self.current_replicas,
            4 => &self.updated_replicas,
            5 => &self.current_revision,
            6 => &self.update_revision,
            7 => &self.collision_count,
            8 => &self.conditions,
            9 => &self.available_replicas,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.observed_generation,
            1 => &mut self.replicas,
            2 => &mut self.ready_replicas,
            3 => &mut self.current_replicas,
            4 => &mut self.updated_replicas,
            5 => &mut self.current_revision,
            6 => &mut self.update_revision,
            7 => &mut self.collision_count,
            8 => &mut self.conditions,
            9 => &mut self.available_replicas,
            _ => return None,
        })
    }
}
