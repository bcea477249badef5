// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [DeploymentCondition](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#deploymentcondition-v1beta2-apps) of `apps/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct DeploymentCondition {
    pub type_: Str,
    pub status: Str,
    pub last_update_time: Option<Time>,
    pub last_transition_time: Option<Time>,
    pub reason: Str,
    pub message: Str,
}

impl DeploymentCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        last_update_time: None,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(DeploymentCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "DeploymentCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::NONE),
        Field::new("status", Flags::NONE),
        Field::new("lastUpdateTime", Flags::NONE),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(4, 4),
        Wire::field(5, 5),
        Wire::always(6, 2),
        Wire::always(7, 3),
    ],
};

impl Fields for DeploymentCondition {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.status,
            2 => &self.last_update_time,
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
            2 => &mut self.last_update_time,
            3 => &mut self.last_transition_time,
            4 => &mut self.reason,
            5 => &mut self.message,
            _ => return None,
        })
    }
}
