// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [TopologySelectorLabelRequirement](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#topologyselectorlabelrequirement-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct TopologySelectorLabelRequirement {
    pub key: Str,
    pub values: List<Str>,
}

impl TopologySelectorLabelRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(TopologySelectorLabelRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TopologySelectorLabelRequirement",
    type_meta: None,
    fields: &[Field::new("key", Flags::NONE), Field::new("values", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for TopologySelectorLabelRequirement {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.key,
            1 => &self.values,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.key,
            1 => &mut self.values,
            _ => return None,
        })
    }
}
