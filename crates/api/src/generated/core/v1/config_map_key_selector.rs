// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ConfigMapKeySelector`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapkeyselector-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ConfigMapKeySelector {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapkeyselector-v1-core): optional.
    pub name: Str,
    /// [`key`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapkeyselector-v1-core): required.
    pub key: Str,
    /// [`optional`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapkeyselector-v1-core): optional.
    pub optional: Option<bool>,
}

impl ConfigMapKeySelector {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, key: Str::EMPTY, optional: None };
}

client_rs_machinery::message!(ConfigMapKeySelector, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConfigMapKeySelector",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::OMIT_EMPTY),
        Field::new("key", Flags::NONE),
        Field::new("optional", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::inline(1, &[Wire::field(1, 0)]), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ConfigMapKeySelector {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.key),
            2 => FieldRef::value(&self.optional),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.key),
            2 => FieldMut::value(&mut self.optional),
            _ => FieldMut::NONE,
        }
    }
}
