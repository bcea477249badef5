// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`LocalObjectReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#localobjectreference-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct LocalObjectReference {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#localobjectreference-v1-core): optional.
    pub name: Str,
}

impl LocalObjectReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY };
}

client_rs_machinery::message!(LocalObjectReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LocalObjectReference",
    type_meta: None,
    fields: &[Field::new("name", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for LocalObjectReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
