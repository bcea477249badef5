// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`MatchCondition`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchcondition-v1beta1-admissionregistration-k8s-io) of `admissionregistration.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct MatchCondition {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchcondition-v1beta1-admissionregistration-k8s-io): required.
    pub name: Str,
    /// [`expression`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#matchcondition-v1beta1-admissionregistration-k8s-io): required.
    pub expression: Str,
}

impl MatchCondition {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, expression: Str::EMPTY };
}

client_rs_machinery::message!(MatchCondition, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "MatchCondition",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE), Field::new("expression", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for MatchCondition {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.expression),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.expression),
            _ => FieldMut::NONE,
        }
    }
}
