// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, FieldMut, FieldRef, Fields};

/// [`Patch`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#patch-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct Patch {}

impl Patch {
    /// Every field empty.
    pub const EMPTY: Self = Self {};
}

crate::message!(Patch, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor { name: "Patch", type_meta: None, fields: &[], wire: &[] };

impl Fields for Patch {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, _: usize) -> FieldRef<'_> {
        FieldRef::NONE
    }

    #[inline(never)]
    fn field_mut(&mut self, _: usize) -> FieldMut<'_> {
        FieldMut::NONE
    }
}
