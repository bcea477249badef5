// Made by `cargo xtask codegen` from schema: change those, not this.
use super::NodeSelectorTerm;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PreferredSchedulingTerm](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#preferredschedulingterm-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PreferredSchedulingTerm {
    pub weight: i32,
    pub preference: NodeSelectorTerm,
}

impl PreferredSchedulingTerm {
    /// Every field empty.
    pub const EMPTY: Self = Self { weight: 0, preference: NodeSelectorTerm::EMPTY };
}

client_rs_machinery::message!(PreferredSchedulingTerm, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PreferredSchedulingTerm",
    type_meta: None,
    fields: &[
        Field::new("weight", Flags::NONE),
        Field::new("preference", Flags::NONE).of::<NodeSelectorTerm>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for PreferredSchedulingTerm {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.weight,
            1 => &self.preference,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.weight,
            1 => &mut self.preference,
            _ => return None,
        })
    }
}
