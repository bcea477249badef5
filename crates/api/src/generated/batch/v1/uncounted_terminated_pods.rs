// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`UncountedTerminatedPods`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#uncountedterminatedpods-v1-batch) of `batch/v1`.
#[derive(Clone, PartialEq)]
pub struct UncountedTerminatedPods {
    /// [`succeeded`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#uncountedterminatedpods-v1-batch): optional. Apply merges entries.
    pub succeeded: List<Str>,
    /// [`failed`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#uncountedterminatedpods-v1-batch): optional. Apply merges entries.
    pub failed: List<Str>,
}

impl UncountedTerminatedPods {
    /// Every field empty.
    pub const EMPTY: Self = Self { succeeded: List::EMPTY, failed: List::EMPTY };
}

client_rs_machinery::message!(UncountedTerminatedPods, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "UncountedTerminatedPods",
    type_meta: None,
    fields: &[Field::new("succeeded", Flags::OMIT_EMPTY), Field::new("failed", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for UncountedTerminatedPods {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.succeeded),
            1 => FieldRef::value(&self.failed),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.succeeded),
            1 => FieldMut::value(&mut self.failed),
            _ => FieldMut::NONE,
        }
    }
}
