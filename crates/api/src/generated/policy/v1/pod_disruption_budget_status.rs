// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Time};

/// [PodDisruptionBudgetStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#poddisruptionbudgetstatus-v1-policy) of `policy/v1`.
#[derive(Clone, PartialEq)]
pub struct PodDisruptionBudgetStatus {
    pub observed_generation: i64,
    pub disrupted_pods: Map<Time>,
    pub disruptions_allowed: i32,
    pub current_healthy: i32,
    pub desired_healthy: i32,
    pub expected_pods: i32,
    pub conditions: List<Condition>,
}

impl PodDisruptionBudgetStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        observed_generation: 0,
        disrupted_pods: Map::EMPTY,
        disruptions_allowed: 0,
        current_healthy: 0,
        desired_healthy: 0,
        expected_pods: 0,
        conditions: List::EMPTY,
    };
}

client_rs_machinery::message!(PodDisruptionBudgetStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodDisruptionBudgetStatus",
    type_meta: None,
    fields: &[
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("disruptedPods", Flags::OMIT_EMPTY),
        Field::new("disruptionsAllowed", Flags::NONE),
        Field::new("currentHealthy", Flags::NONE),
        Field::new("desiredHealthy", Flags::NONE),
        Field::new("expectedPods", Flags::NONE),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<Condition>()
            .merged_by("type"),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
        Wire::field(7, 6),
    ],
};

impl Fields for PodDisruptionBudgetStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.observed_generation,
            1 => &self.disrupted_pods,
            2 => &self.disruptions_allowed,
            3 => &self.current_healthy,
            4 => &self.desired_healthy,
            5 => &self.expected_pods,
            6 => &self.conditions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.observed_generation,
            1 => &mut self.disrupted_pods,
            2 => &mut self.disruptions_allowed,
            3 => &mut self.current_healthy,
            4 => &mut self.desired_healthy,
            5 => &mut self.expected_pods,
            6 => &mut self.conditions,
            _ => return None,
        })
    }
}
