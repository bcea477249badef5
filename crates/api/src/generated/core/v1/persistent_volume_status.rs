// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [PersistentVolumeStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#persistentvolumestatus-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PersistentVolumeStatus {
    pub phase: Str,
    pub message: Str,
    pub reason: Str,
    pub last_phase_transition_time: Option<Time>,
}

impl PersistentVolumeStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { phase: Str::EMPTY, message: Str::EMPTY, reason: Str::EMPTY, last_phase_transition_time: None };
}

client_rs_machinery::message!(PersistentVolumeStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PersistentVolumeStatus",
    type_meta: None,
    fields: &[
        Field::new("phase", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("lastPhaseTransitionTime", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PersistentVolumeStatus {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.phase,
            1 => &self.message,
            2 => &self.reason,
            3 => &self.last_phase_transition_time,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.phase,
            1 => &mut self.message,
            2 => &mut self.reason,
            3 => &mut self.last_phase_transition_time,
            _ => return None,
        })
    }
}
