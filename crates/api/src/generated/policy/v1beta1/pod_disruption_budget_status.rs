// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::meta::v1::Condition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Time};

/// `PodDisruptionBudgetStatus` of `policy/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PodDisruptionBudgetStatus {
    /// `observedGeneration`: optional.
    pub observed_generation: i64,
    /// `disruptedPods`: optional.
    pub disrupted_pods: Map<Time>,
    /// `disruptionsAllowed`: optional.
    pub disruptions_allowed: i32,
    /// `currentHealthy`: optional.
    pub current_healthy: i32,
    /// `desiredHealthy`: optional.
    pub desired_healthy: i32,
    /// `expectedPods`: optional.
    pub expected_pods: i32,
    /// `conditions`: optional. Apply and strategic merge patch merge entries by `type`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.observed_generation),
            1 => FieldRef::value(&self.disrupted_pods),
            2 => FieldRef::value(&self.disruptions_allowed),
            3 => FieldRef::value(&self.current_healthy),
            4 => FieldRef::value(&self.desired_healthy),
            5 => FieldRef::value(&self.expected_pods),
            6 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.observed_generation),
            1 => FieldMut::value(&mut self.disrupted_pods),
            2 => FieldMut::value(&mut self.disruptions_allowed),
            3 => FieldMut::value(&mut self.current_healthy),
            4 => FieldMut::value(&mut self.desired_healthy),
            5 => FieldMut::value(&mut self.expected_pods),
            6 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
