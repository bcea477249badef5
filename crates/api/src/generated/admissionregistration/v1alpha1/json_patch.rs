// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [JSONPatch](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#jsonpatch-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct JSONPatch {
    pub expression: Str,
}

impl JSONPatch {
    /// Every field empty.
    pub const EMPTY: Self = Self { expression: Str::EMPTY };
}

client_rs_machinery::message!(JSONPatch, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "JSONPatch",
    type_meta: None,
    fields: &[Field::new("expression", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for JSONPatch {
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
