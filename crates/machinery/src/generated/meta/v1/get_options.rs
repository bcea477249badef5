// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::Str;
use crate::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`GetOptions`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#getoptions-v1-meta) of `meta.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct GetOptions {
    /// [`resourceVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#getoptions-v1-meta): optional.
    pub resource_version: Str,
}

impl GetOptions {
    /// Every field empty.
    pub const EMPTY: Self = Self { resource_version: Str::EMPTY };
}

crate::message!(GetOptions, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "GetOptions",
    type_meta: Some(TypeMeta { api_version: "v1", kind: "GetOptions", everywhere: true }),
    fields: &[Field::new("resourceVersion", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for GetOptions {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.resource_version),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.resource_version),
            _ => FieldMut::NONE,
        }
    }
}
