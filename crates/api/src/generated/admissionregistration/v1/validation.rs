// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [Validation](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validation-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Validation {
    pub expression: Str,
    pub message: Str,
    pub reason: Option<Str>,
    pub message_expression: Str,
}

impl Validation {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { expression: Str::EMPTY, message: Str::EMPTY, reason: None, message_expression: Str::EMPTY };
}

client_rs_machinery::message!(Validation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "Validation",
    type_meta: None,
    fields: &[
        Field::new("expression", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("messageExpression", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for Validation {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.expression,
            1 => &self.message,
            2 => &self.reason,
            3 => &self.message_expression,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.expression,
            1 => &mut self.message,
            2 => &mut self.reason,
            3 => &mut self.message_expression,
            _ => return None,
        })
    }
}
