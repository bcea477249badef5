// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [TargetResponder](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#targetresponder-v1alpha1-lifecycle-k8s-io) of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct TargetResponder {
    pub name: Str,
    pub priority: Option<i32>,
    pub state: Str,
}

impl TargetResponder {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, priority: None, state: Str::EMPTY };
}

client_rs_machinery::message!(TargetResponder, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TargetResponder",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("priority", Flags::NONE),
        Field::new("state", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for TargetResponder {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.priority,
            2 => &self.state,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.priority,
            2 => &mut self.state,
            _ => return None,
        })
    }
}
