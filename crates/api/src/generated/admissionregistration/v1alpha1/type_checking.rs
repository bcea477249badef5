// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ExpressionWarning;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`TypeChecking`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typechecking-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct TypeChecking {
    /// [`expressionWarnings`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#typechecking-v1alpha1-admissionregistration-k8s-io): optional.
    pub expression_warnings: List<ExpressionWarning>,
}

impl TypeChecking {
    /// Every field empty.
    pub const EMPTY: Self = Self { expression_warnings: List::EMPTY };
}

client_rs_machinery::message!(TypeChecking, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TypeChecking",
    type_meta: None,
    fields: &[Field::new("expressionWarnings", Flags::OMIT_EMPTY).of::<ExpressionWarning>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for TypeChecking {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.expression_warnings),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.expression_warnings),
            _ => FieldMut::NONE,
        }
    }
}
