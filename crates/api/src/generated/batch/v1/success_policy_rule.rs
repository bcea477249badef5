// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SuccessPolicyRule`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#successpolicyrule-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct SuccessPolicyRule {
    /// [`succeededIndexes`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#successpolicyrule-v1-batch): optional.
    pub succeeded_indexes: Option<Str>,
    /// [`succeededCount`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#successpolicyrule-v1-batch): optional.
    pub succeeded_count: Option<i32>,
}

impl SuccessPolicyRule {
    /// Every field empty.
    pub const EMPTY: Self = Self { succeeded_indexes: None, succeeded_count: None };
}

client_rs_machinery::message!(SuccessPolicyRule, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SuccessPolicyRule",
    type_meta: None,
    fields: &[
        Field::new("succeededIndexes", Flags::OMIT_EMPTY),
        Field::new("succeededCount", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for SuccessPolicyRule {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.succeeded_indexes),
            1 => FieldRef::value(&self.succeeded_count),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.succeeded_indexes),
            1 => FieldMut::value(&mut self.succeeded_count),
            _ => FieldMut::NONE,
        }
    }
}
