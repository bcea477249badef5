// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`TableOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tableoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TableOptions {
    /// [`includeObject`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tableoptions-v1-meta): optional. Known values: `Metadata`, `None`, `Object`.
    pub include_object: Str,
}

impl TableOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { include_object: Str::EMPTY };
}

crate::message!(TableOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TableOptions",
    type_meta: Some(TypeMeta { api_version: "meta.k8s.io/v1", kind: "TableOptions", everywhere: true }),
    fields: &[Field::new("includeObject", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for TableOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.include_object),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.include_object),
            _ => FieldMut::NONE,
        }
    }
}
