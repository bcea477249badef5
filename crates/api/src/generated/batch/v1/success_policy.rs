// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SuccessPolicyRule;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SuccessPolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#successpolicy-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct SuccessPolicy {
    /// [`rules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#successpolicy-v1-batch): required. Apply replaces the list.
    pub rules: List<SuccessPolicyRule>,
}

impl SuccessPolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { rules: List::EMPTY };
}

client_rs_machinery::message!(SuccessPolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SuccessPolicy",
    type_meta: None,
    fields: &[Field::new("rules", Flags::NONE).of::<SuccessPolicyRule>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SuccessPolicy {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::list(&self.rules),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::list(&mut self.rules),
            _ => FieldMut::NONE,
        }
    }
}
