// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use crate::{List, Str};

/// [`ApplyOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#applyoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct ApplyOptions {
    /// [`dryRun`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#applyoptions-v1-meta): optional.
    pub dry_run: List<Str>,
    /// [`force`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#applyoptions-v1-meta): optional.
    pub force: bool,
    /// [`fieldManager`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#applyoptions-v1-meta): optional.
    pub field_manager: Str,
}

impl ApplyOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { dry_run: List::EMPTY, force: false, field_manager: Str::EMPTY };
}

crate::message!(ApplyOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ApplyOptions",
    type_meta: None,
    fields: &[
        Field::new("dryRun", Flags::OMIT_EMPTY),
        Field::new("force", Flags::NONE),
        Field::new("fieldManager", Flags::NONE),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ApplyOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.dry_run),
            1 => FieldRef::value(&self.force),
            2 => FieldRef::value(&self.field_manager),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.dry_run),
            1 => FieldMut::value(&mut self.force),
            2 => FieldMut::value(&mut self.field_manager),
            _ => FieldMut::NONE,
        }
    }
}
