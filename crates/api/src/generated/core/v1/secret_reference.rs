// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`SecretReference`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretreference-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SecretReference {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretreference-v1-core): optional.
    pub name: Str,
    /// [`namespace`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretreference-v1-core): optional.
    pub namespace: Str,
}

impl SecretReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, namespace: Str::EMPTY };
}

client_rs_machinery::message!(SecretReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SecretReference",
    type_meta: None,
    fields: &[Field::new("name", Flags::OMIT_EMPTY), Field::new("namespace", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for SecretReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.namespace),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.namespace),
            _ => FieldMut::NONE,
        }
    }
}
