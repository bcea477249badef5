// Made by `cargo xtask codegen` from schema: change those, not this.
use super::PodFailurePolicyRule;
use client_rs_machinery::List;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`PodFailurePolicy`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicy-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct PodFailurePolicy {
    /// [`rules`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#podfailurepolicy-v1-batch): required. Apply replaces the list.
    pub rules: List<PodFailurePolicyRule>,
}

impl PodFailurePolicy {
    /// Every field empty.
    pub const EMPTY: Self = Self { rules: List::EMPTY };
}

client_rs_machinery::message!(PodFailurePolicy, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PodFailurePolicy",
    type_meta: None,
    fields: &[Field::new("rules", Flags::NONE).of::<PodFailurePolicyRule>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PodFailurePolicy {
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
