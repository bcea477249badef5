// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [PodReadinessGate](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podreadinessgate-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct PodReadinessGate {
    pub condition_type: Str,
}

impl PodReadinessGate {
    /// Every field empty.
    pub const EMPTY: Self = Self { condition_type: Str::EMPTY };
}

client_rs_machinery::message!(PodReadinessGate, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodReadinessGate",
    type_meta: None,
    fields: &[Field::new("conditionType", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodReadinessGate {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.condition_type,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.condition_type,
            _ => return None,
        })
    }
}
