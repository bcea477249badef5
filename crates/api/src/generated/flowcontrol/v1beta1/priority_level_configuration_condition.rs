// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [PriorityLevelConfigurationCondition](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#prioritylevelconfigurationcondition-v1beta1-flowcontrol-apiserver-k8s-io) of `flowcontrol.apiserver.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct PriorityLevelConfigurationCondition {
    pub type_: Str,
    pub status: Str,
    pub last_transition_time: Option<Time>,
    pub reason: Str,
    pub message: Str,
}

impl PriorityLevelConfigurationCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        type_: Str::EMPTY,
        status: Str::EMPTY,
        last_transition_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(PriorityLevelConfigurationCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PriorityLevelConfigurationCondition",
    type_meta: None,
    fields: &[
        Field::new("type", Flags::OMIT_EMPTY),
        Field::new("status", Flags::OMIT_EMPTY),
        Field::new("lastTransitionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::always(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for PriorityLevelConfigurationCondition {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.status,
            2 => &self.last_transition_time,
            3 => &self.reason,
            4 => &self.message,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.status,
            2 => &mut self.last_transition_time,
            3 => &mut self.reason,
            4 => &mut self.message,
            _ => return None,
        })
    }
}
