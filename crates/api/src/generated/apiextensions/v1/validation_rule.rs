// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ValidationRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io) of `apiextensions.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ValidationRule {
    /// [`rule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io): required.
    pub rule: Str,
    /// [`message`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io): optional.
    pub message: Str,
    /// [`messageExpression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io): optional, since 1.27.
    pub message_expression: Str,
    /// [`reason`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io): optional, since 1.28. One of `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueInvalid`, `FieldValueRequired`.
    pub reason: Option<Str>,
    /// [`fieldPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io): optional, since 1.28.
    pub field_path: Str,
    /// [`optionalOldSelf`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#validationrule-v1-apiextensions-k8s-io): optional, since 1.29. Feature gate `CRDValidationRatcheting`.
    pub optional_old_self: Option<bool>,
}

impl ValidationRule {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        rule: Str::EMPTY,
        message: Str::EMPTY,
        message_expression: Str::EMPTY,
        reason: None,
        field_path: Str::EMPTY,
        optional_old_self: None,
    };
}

client_rs_machinery::message!(ValidationRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ValidationRule",
    type_meta: None,
    fields: &[
        Field::new("rule", Flags::NONE),
        Field::new("message", Flags::OMIT_EMPTY),
        Field::new("messageExpression", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("fieldPath", Flags::OMIT_EMPTY),
        Field::new("optionalOldSelf", Flags::OMIT_EMPTY),
    ],
    wire: &[
        Wire::field(1, 0),
        Wire::field(2, 1),
        Wire::field(3, 2),
        Wire::field(4, 3),
        Wire::field(5, 4),
        Wire::field(6, 5),
    ],
};

impl Fields for ValidationRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.rule),
            1 => FieldRef::value(&self.message),
            2 => FieldRef::value(&self.message_expression),
            3 => FieldRef::value(&self.reason),
            4 => FieldRef::value(&self.field_path),
            5 => FieldRef::value(&self.optional_old_self),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.rule),
            1 => FieldMut::value(&mut self.message),
            2 => FieldMut::value(&mut self.message_expression),
            3 => FieldMut::value(&mut self.reason),
            4 => FieldMut::value(&mut self.field_path),
            5 => FieldMut::value(&mut self.optional_old_self),
            _ => FieldMut::NONE,
        }
    }
}
