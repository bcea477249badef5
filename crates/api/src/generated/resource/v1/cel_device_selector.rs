// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [CELDeviceSelector](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#celdeviceselector-v1-resource-k8s-io) of `resource.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct CELDeviceSelector {
    pub expression: Str,
}

impl CELDeviceSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { expression: Str::EMPTY };
}

client_rs_machinery::message!(CELDeviceSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "CELDeviceSelector",
    type_meta: None,
    fields: &[Field::new("expression", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for CELDeviceSelector {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.expression,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.expression,
            _ => return None,
        })
    }
}
