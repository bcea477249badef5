// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{List, Str};

/// [`PatchOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#patchoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct PatchOptions {
    /// [`dryRun`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#patchoptions-v1-meta): optional.
    pub dry_run: List<Str>,
    /// [`force`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#patchoptions-v1-meta): optional.
    pub force: Option<bool>,
    /// [`fieldManager`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#patchoptions-v1-meta): optional.
    pub field_manager: Str,
    /// [`fieldValidation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#patchoptions-v1-meta): optional, since 1.23.
    pub field_validation: Str,
}

impl PatchOptions {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { dry_run: List::EMPTY, force: None, field_manager: Str::EMPTY, field_validation: Str::EMPTY };
}

crate::message!(PatchOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PatchOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "PatchOptions", everywhere: true }),
    fields: &[
        Field::new("dryRun", Flags::OMIT_EMPTY),
        Field::new("force", Flags::OMIT_EMPTY),
        Field::new("fieldManager", Flags::OMIT_EMPTY),
        Field::new("fieldValidation", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3)],
};

impl Fields for PatchOptions {
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
            3 => FieldRef::value(&self.field_validation),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.dry_run),
            1 => FieldMut::value(&mut self.force),
            2 => FieldMut::value(&mut self.field_manager),
            3 => FieldMut::value(&mut self.field_validation),
            _ => FieldMut::NONE,
        }
    }
}
