// Made by `cargo xtask codegen` from schema: change those, not this.
use super::KeyToPath;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`SecretProjection`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretprojection-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SecretProjection {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretprojection-v1-core): optional.
    pub name: Str,
    /// [`items`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretprojection-v1-core): optional. Apply replaces the list.
    pub items: List<KeyToPath>,
    /// [`optional`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretprojection-v1-core): optional.
    pub optional: Option<bool>,
}

impl SecretProjection {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, items: List::EMPTY, optional: None };
}

client_rs_machinery::message!(SecretProjection, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SecretProjection",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("items", Flags::OMIT_EMPTY).of::<KeyToPath>(),
        Field::new("optional", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::inline(1, &[Wire::field(1, 0)]), Wire::field(2, 1), Wire::field(4, 2)],
};

impl Fields for SecretProjection {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::list(&self.items),
            2 => FieldRef::value(&self.optional),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::list(&mut self.items),
            2 => FieldMut::value(&mut self.optional),
            _ => FieldMut::NONE,
        }
    }
}
