// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ReplicaSetCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [ReplicaSetStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#replicasetstatus-v1-apps) of `apps/v1`.
#[derive(Clone, PartialEq)]
pub struct ReplicaSetStatus {
    pub replicas: i32,
    pub fully_labeled_replicas: i32,
    pub ready_replicas: i32,
    pub available_replicas: i32,
    pub terminating_replicas: Option<i32>,
    pub observed_generation: i64,
    pub conditions: List<ReplicaSetCondition>,
}

impl ReplicaSetStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        replicas: 0,
        fully_labeled_replicas: 0,
        ready_replicas: 0,
        available_replicas: 0,
        terminating_replicas: None,
        observed_generation: 0,
        conditions: List::EMPTY,
    };
}

client_rs_machinery::message!(ReplicaSetStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ReplicaSetStatus",
    type_meta: None,
    fields: &[
        Field::new("replicas", Flags::NONE),
        Field::new("fullyLabeledReplicas", Flags::OMIT_EMPTY),
        Field::new("readyReplicas", Flags::OMIT_EMPTY),
        Field::new("availableReplicas", Flags::OMIT_EMPTY),
        Field::new("terminatingReplicas", Flags::OMIT_EMPTY),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<ReplicaSetCondition>()
            .merged_by("type"),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 5),
        Wire::field(4, 2),
        Wire::field(5, 3),
        Wire::field(6, 6),
        Wire::field(7, 4),
    ],
};

impl Fields for ReplicaSetStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.replicas,
            1 => &self.fully_labeled_replicas,
            2 => &self.ready_replicas,
            3 => &self.available_replicas,
            4 => &self.terminating_replicas,
            5 => &self.observed_generation,
            6 => &self.conditions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.replicas,
            1 => &mut self.fully_labeled_replicas,
            2 => &mut self.ready_replicas,
            3 => &mut self.available_replicas,
            4 => &mut self.terminating_replicas,
            5 => &mut self.observed_generation,
            6 => &mut self.conditions,
            _ => return None,
        })
    }
}
