// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [ContainerRestartRuleOnExitCodes](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#containerrestartruleonexitcodes-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ContainerRestartRuleOnExitCodes {
    pub operator: Str,
    pub values: List<i32>,
}

impl ContainerRestartRuleOnExitCodes {
    /// Every field empty.
    pub const EMPTY: Self = Self { operator: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(ContainerRestartRuleOnExitCodes, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ContainerRestartRuleOnExitCodes",
    type_meta: None,
    fields: &[Field::new("operator", Flags::OMIT_EMPTY), Field::new("values", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ContainerRestartRuleOnExitCodes {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.operator,
            1 => &self.values,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.operator,
            1 => &mut self.values,
            _ => return None,
        })
    }
}
