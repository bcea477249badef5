// Made by `cargo xtask codegen` from schema: change those, not this.
use super::DaemonSetCondition;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `DaemonSetStatus` of `apps/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DaemonSetStatus {
    /// `currentNumberScheduled`: optional.
    pub current_number_scheduled: i32,
    /// `numberMisscheduled`: optional.
    pub number_misscheduled: i32,
    /// `desiredNumberScheduled`: optional.
    pub desired_number_scheduled: i32,
    /// `numberReady`: optional.
    pub number_ready: i32,
    /// `observedGeneration`: optional.
    pub observed_generation: i64,
    /// `updatedNumberScheduled`: optional.
    pub updated_number_scheduled: i32,
    /// `numberAvailable`: optional.
    pub number_available: i32,
    /// `numberUnavailable`: optional.
    pub number_unavailable: i32,
    /// `collisionCount`: optional.
    pub collision_count: Option<i32>,
    /// `conditions`: optional. Apply and strategic merge patch merge entries by `type`.
    pub conditions: List<DaemonSetCondition>,
}

impl DaemonSetStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        current_number_scheduled: 0,
        number_misscheduled: 0,
        desired_number_scheduled: 0,
        number_ready: 0,
        observed_generation: 0,
        updated_number_scheduled: 0,
        number_available: 0,
        number_unavailable: 0,
        collision_count: None,
        conditions: List::EMPTY,
    };
}

client_rs_machinery::message!(DaemonSetStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DaemonSetStatus",
    type_meta: None,
    fields: &[
        Field::new("currentNumberScheduled", Flags::NONE),
        Field::new("numberMisscheduled", Flags::NONE),
        Field::new("desiredNumberScheduled", Flags::NONE),
        Field::new("numberReady", Flags::NONE),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("updatedNumberScheduled", Flags::OMIT_EMPTY),
        Field::new("numberAvailable", Flags::OMIT_EMPTY),
        Field::new("numberUnavailable", Flags::OMIT_EMPTY),
        Field::new("collisionCount", Flags::OMIT_EMPTY),
        Field::new("conditions", Flags::OMIT_EMPTY.and(Flags::PATCH_MERGE))
            .of::<DaemonSetCondition>()
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
        Wire::field(8, 7),
        Wire::field(9, 8),
        Wire::field(10, 9),
    ],
};

impl Fields for DaemonSetStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.current_number_scheduled),
            1 => FieldRef::value(&self.number_misscheduled),
            2 => FieldRef::value(&self.desired_number_scheduled),
            3 => FieldRef::value(&self.number_ready),
            4 => FieldRef::value(&self.observed_generation),
            5 => FieldRef::value(&self.updated_number_scheduled),
            6 => FieldRef::value(&self.number_available),
            7 => FieldRef::value(&self.number_unavailable),
            8 => FieldRef::value(&self.collision_count),
            9 => FieldRef::list(&self.conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.current_number_scheduled),
            1 => FieldMut::value(&mut self.number_misscheduled),
            2 => FieldMut::value(&mut self.desired_number_scheduled),
            3 => FieldMut::value(&mut self.number_ready),
            4 => FieldMut::value(&mut self.observed_generation),
            5 => FieldMut::value(&mut self.updated_number_scheduled),
            6 => FieldMut::value(&mut self.number_available),
            7 => FieldMut::value(&mut self.number_unavailable),
            8 => FieldMut::value(&mut self.collision_count),
            9 => FieldMut::list(&mut self.conditions),
            _ => FieldMut::NONE,
        }
    }
}
