// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`Validation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validation-v1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Validation {
    /// [`expression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validation-v1-admissionregistration-k8s-io): required.
    pub expression: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validation-v1-admissionregistration-k8s-io): optional.
    pub message: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validation-v1-admissionregistration-k8s-io): optional.
    pub reason: Option<Str>,
    /// [`messageExpression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validation-v1-admissionregistration-k8s-io): optional.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.expression),
            1 => FieldRef::value(&self.message),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.message_expression),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.expression),
            1 => FieldMut::value(&mut self.message),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.message_expression),
            _ => FieldMut::NONE,
        }
    }
}
