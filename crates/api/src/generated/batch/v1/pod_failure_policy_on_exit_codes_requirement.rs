// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [PodFailurePolicyOnExitCodesRequirement](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicyonexitcodesrequirement-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct PodFailurePolicyOnExitCodesRequirement {
    pub container_name: Option<Str>,
    pub operator: Str,
    pub values: List<i32>,
}

impl PodFailurePolicyOnExitCodesRequirement {
    /// Every field empty.
    pub const EMPTY: Self = Self { container_name: None, operator: Str::EMPTY, values: List::EMPTY };
}

client_rs_machinery::message!(PodFailurePolicyOnExitCodesRequirement, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodFailurePolicyOnExitCodesRequirement",
    type_meta: None,
    fields: &[
        Field::new("containerName", Flags::OMIT_EMPTY),
        Field::new("operator", Flags::NONE),
        Field::new("values", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for PodFailurePolicyOnExitCodesRequirement {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.container_name,
            1 => &self.operator,
            2 => &self.values,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.container_name,
            1 => &mut self.operator,
            2 => &mut self.values,
            _ => return None,
        })
    }
}
