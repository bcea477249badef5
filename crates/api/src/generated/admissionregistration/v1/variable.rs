// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [Variable](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#variable-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Variable {
    pub name: Str,
    pub expression: Str,
}

impl Variable {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, expression: Str::EMPTY };
}

client_rs_machinery::message!(Variable, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Variable",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("expression", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for Variable {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.expression,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.expression,
            _ => return None,
        })
    }
}
