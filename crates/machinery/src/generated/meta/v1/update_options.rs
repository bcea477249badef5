// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};
use crate::{List, Str};

/// [`UpdateOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#updateoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct UpdateOptions {
    /// [`dryRun`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#updateoptions-v1-meta): optional.
    pub dry_run: List<Str>,
    /// [`fieldManager`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#updateoptions-v1-meta): optional.
    pub field_manager: Str,
    /// [`fieldValidation`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#updateoptions-v1-meta): optional, since 1.23.
    pub field_validation: Str,
}

impl UpdateOptions {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { dry_run: List::EMPTY, field_manager: Str::EMPTY, field_validation: Str::EMPTY };
}

crate::message!(UpdateOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "UpdateOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "UpdateOptions", everywhere: true }),
    fields: &[
        Field::new("dryRun", Flags::OMIT_EMPTY),
        Field::new("fieldManager", Flags::OMIT_EMPTY),
        Field::new("fieldValidation", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for UpdateOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.dry_run),
            1 => FieldRef::value(&self.field_manager),
            2 => FieldRef::value(&self.field_validation),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.dry_run),
            1 => FieldMut::value(&mut self.field_manager),
            2 => FieldMut::value(&mut self.field_validation),
            _ => FieldMut::NONE,
        }
    }
}
