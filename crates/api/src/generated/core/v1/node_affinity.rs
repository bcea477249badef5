// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelector;
use super::PreferredSchedulingTerm;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Shared};

/// [NodeAffinity](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#nodeaffinity-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct NodeAffinity {
    pub required_during_scheduling_ignored_during_execution: Option<Shared<NodeSelector>>,
    pub preferred_during_scheduling_ignored_during_execution: List<PreferredSchedulingTerm>,
}

impl NodeAffinity {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        required_during_scheduling_ignored_during_execution: None,
        preferred_during_scheduling_ignored_during_execution: List::EMPTY,
    };
}

client_rs_machinery::message!(NodeAffinity, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NodeAffinity",
    type_meta: None,
    fields: &[
        Field::new("requiredDuringSchedulingIgnoredDuringExecution", Flags::OMIT_EMPTY).of::<NodeSelector>(),
        Field::new("preferredDuringSchedulingIgnoredDuringExecution", Flags::OMIT_EMPTY)
            .of::<PreferredSchedulingTerm>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NodeAffinity {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.required_during_scheduling_ignored_during_execution,
            1 => &self.preferred_during_scheduling_ignored_during_execution,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.required_during_scheduling_ignored_during_execution,
            1 => &mut self.preferred_during_scheduling_ignored_during_execution,
            _ => return None,
        })
    }
}
