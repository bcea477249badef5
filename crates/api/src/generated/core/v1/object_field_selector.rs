// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ObjectFieldSelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectfieldselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ObjectFieldSelector {
    /// [`apiVersion`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectfieldselector-v1-core): optional.
    pub api_version: Str,
    /// [`fieldPath`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#objectfieldselector-v1-core): required.
    pub field_path: Str,
}

impl ObjectFieldSelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { api_version: Str::EMPTY, field_path: Str::EMPTY };
}

client_rs_machinery::message!(ObjectFieldSelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ObjectFieldSelector",
    type_meta: None,
    fields: &[Field::new("apiVersion", Flags::OMIT_EMPTY), Field::new("fieldPath", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ObjectFieldSelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.api_version),
            1 => FieldRef::value(&self.field_path),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.api_version),
            1 => FieldMut::value(&mut self.field_path),
            _ => FieldMut::NONE,
        }
    }
}
