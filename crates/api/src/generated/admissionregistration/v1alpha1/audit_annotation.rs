// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`AuditAnnotation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#auditannotation-v1alpha1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct AuditAnnotation {
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#auditannotation-v1alpha1-admissionregistration-k8s-io): optional.
    pub key: Str,
    /// [`valueExpression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#auditannotation-v1alpha1-admissionregistration-k8s-io): optional.
    pub value_expression: Str,
}

impl AuditAnnotation {
    /// Every field empty.
    pub const EMPTY: Self = Self { key: Str::EMPTY, value_expression: Str::EMPTY };
}

client_rs_machinery::message!(AuditAnnotation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "AuditAnnotation",
    type_meta: None,
    fields: &[Field::new("key", Flags::NONE), Field::new("valueExpression", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for AuditAnnotation {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.key),
            1 => FieldRef::value(&self.value_expression),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.key),
            1 => FieldMut::value(&mut self.value_expression),
            _ => FieldMut::NONE,
        }
    }
}
