// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DeploymentCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [DeploymentStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentstatus-v1beta1-extensions) of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct DeploymentStatus {
    pub observed_generation: i64,
    pub replicas: i32,
    pub updated_replicas: i32,
    pub ready_replicas: i32,
    pub available_replicas: i32,
    pub unavailable_replicas: i32,
    pub terminating_replicas: Option<i32>,
    pub conditions: List<DeploymentCondition>,
    pub collision_count: Option<i32>,
}

impl DeploymentStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        observed_generation: 0,
        replicas: 0,
        updated_replicas: 0,
        ready_replicas: 0,
        available_replicas: 0,
        unavailable_replicas: 0,
        terminating_replicas: None,
        conditions: List::EMPTY,
        collision_count: None,
    };
}

client_rs_machinery::message!(DeploymentStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("replicas", Flags::OMIT_EMPTY),
        Field::new("updatedReplicas", Flags::OMIT_EMPTY),
        Field::new("readyReplicas", Flags::OMIT_EMPTY),
        Field::new("availableReplicas", Flags::OMIT_EMPTY),
        Field::new("unavailableReplicas", Flags::OMIT_EMPTY),
        Field::new("terminatingReplicas", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<DeploymentCondition>()
            .merged_by("type"),
        Field::new("collisionCount", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::field(6, 7),
        Wire::field(7, 3),
        Wire::field(8, 8),
        Wire::field(9, 6),
    ],
};

impl Fields for DeploymentStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.observed_generation,
            1 => &self.replicas,
            2 => &self.updated_replicas,
            3 => &self.ready_replicas,
            4 => &self.available_replicas,
            5 => &self.unavailable_replicas,
            6 => &self.terminating_replicas,
            7 => &self.conditions,
            8 => &self.collision_count,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.observed_generation,
            1 => &mut self.replicas,
            2 => &mut self.updated_replicas,
            3 => &mut self.ready_replicas,
            4 => &mut self.available_replicas,
            5 => &mut self.unavailable_replicas,
            6 => &mut self.terminating_replicas,
            7 => &mut self.conditions,
            8 => &mut self.collision_count,
            _ => return None,
        })
    }
}
