// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodSignature;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Str, Time};

/// [PreferAvoidPodsEntry](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferavoidpodsentry-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PreferAvoidPodsEntry {
    pub pod_signature: PodSignature,
    pub eviction_time: Option<Time>,
    pub reason: Str,
    pub message: Str,
}

impl PreferAvoidPodsEntry {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        pod_signature: PodSignature::EMPTY,
        eviction_time: None,
        reason: Str::EMPTY,
        message: Str::EMPTY,
    };
}

client_rs_machinery::message!(PreferAvoidPodsEntry, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PreferAvoidPodsEntry",
    type_meta: None,
    fields: &[
        Field::new("podSignature", Flags::NONE).of::<PodSignature>(),
        Field::new("evictionTime", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("message", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::always(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PreferAvoidPodsEntry {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.pod_signature,
            1 => &self.eviction_time,
            2 => &self.reason,
            3 => &self.message,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.pod_signature,
            1 => &mut self.eviction_time,
            2 => &mut self.reason,
            3 => &mut self.message,
            _ => return None,
        })
    }
}
