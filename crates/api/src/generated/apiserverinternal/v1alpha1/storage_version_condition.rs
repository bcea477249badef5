// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [StorageVersionCondition](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storageversioncondition-v1alpha1-internal-apiserver-k8s-io) of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct StorageVersionCondition {
    pub type_: Str,
    pub status: Str,
    pub observed_generation: i64,
    pub last_transition_time: Option<Time>,
    pub reason: Str,
    pub message: Str,
}

impl StorageVersionCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        observed_generation: 0,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(StorageVersionCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageVersionCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("observedGeneration", Flags::OMIT_EMPTY),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::always(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for StorageVersionCondition {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.status,
            2 => &self.observed_generation,
            3 => &self.last_transition_time,
            4 => &self.reason,
            5 => &self.message,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.status,
            2 => &mut self.observed_generation,
            3 => &mut self.last_transition_time,
            4 => &mut self.reason,
            5 => &mut self.message,
            _ => return None,
        })
    }
}
