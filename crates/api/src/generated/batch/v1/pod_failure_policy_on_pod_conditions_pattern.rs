// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PodFailurePolicyOnPodConditionsPattern](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonpodconditionspattern-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct PodFailurePolicyOnPodConditionsPattern {
    pub type_: Str,
    pub status: Str,
}

impl PodFailurePolicyOnPodConditionsPattern {
    /// Every field empty.
    pub const EMPTY: Self = Self { type_: Str::EMPTY, status: Str::EMPTY };
}

client_rs_machinery::message!(PodFailurePolicyOnPodConditionsPattern, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodFailurePolicyOnPodConditionsPattern",
    type_meta: None,
    fields: &[Field::new("type", Flags::NONE), Field::new("status", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PodFailurePolicyOnPodConditionsPattern {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.type_,
            1 => &self.status,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.type_,
            1 => &mut self.status,
            _ => return None,
        })
    }
}
