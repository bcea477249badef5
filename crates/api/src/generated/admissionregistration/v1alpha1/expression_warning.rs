// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ExpressionWarning`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#expressionwarning-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ExpressionWarning {
    /// [`fieldRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#expressionwarning-v1alpha1-admissionregistration-k8s-io): optional.
    pub field_ref: Str,
    /// [`warning`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#expressionwarning-v1alpha1-admissionregistration-k8s-io): optional.
    pub warning: Str,
}

impl ExpressionWarning {
    /// Every field empty.
    pub const EMPTY: Self = Self { field_ref: Str::EMPTY, warning: Str::EMPTY };
}

client_rs_machinery::message!(ExpressionWarning, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExpressionWarning",
    type_meta: None,
    fields: &[Field::new("fieldRef", Flags::NONE), Field::new("warning", Flags::NONE)],
    wire: &[Wire::field(2, 0), Wire::field(3, 1)],
};

impl Fields for ExpressionWarning {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.field_ref),
            1 => FieldRef::value(&self.warning),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.field_ref),
            1 => FieldMut::value(&mut self.warning),
            _ => FieldMut::NONE,
        }
    }
}
