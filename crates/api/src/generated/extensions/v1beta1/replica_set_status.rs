// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ReplicaSetCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ReplicaSetStatus` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ReplicaSetStatus {
    /// `replicas`: optional.
    pub replicas: i32,
    /// `fullyLabeledReplicas`: optional.
    pub fully_labeled_replicas: i32,
    /// `readyReplicas`: optional.
    pub ready_replicas: i32,
    /// `availableReplicas`: optional.
    pub available_replicas: i32,
    /// `terminatingReplicas`: optional.
    pub terminating_replicas: Option<i32>,
    /// `observedGeneration`: optional.
    pub observed_generation: i64,
    /// `conditions`: optional. Apply and strategic merge patch merge entries by `type`.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.replicas),
            1 => FieldRef::value(&self.fully_labeled_replicas),
            2 => FieldRef::value(&self.ready_replicas),
            3 => FieldRef::value(&self.available_replicas),
            4 => FieldRef::value(&self.terminating_replicas),
            5 => FieldRef::value(&self.observed_generation),
            6 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            1 => FieldMut::value(&mut self.fully_labeled_replicas),
            2 => FieldMut::value(&mut self.ready_replicas),
            3 => FieldMut::value(&mut self.available_replicas),
            4 => FieldMut::value(&mut self.terminating_replicas),
            5 => FieldMut::value(&mut self.observed_generation),
            6 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
