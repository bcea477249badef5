// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`ConfigMapEnvSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapenvsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct ConfigMapEnvSource {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapenvsource-v1-core): optional.
    pub name: Str,
    /// [`optional`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#configmapenvsource-v1-core): optional.
    pub optional: Option<bool>,
}

impl ConfigMapEnvSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, optional: None };
}

client_rs_machinery::message!(ConfigMapEnvSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ConfigMapEnvSource",
    type_meta: None,
    fields: &[Field::new("name", Flags::OMIT_EMPTY), Field::new("optional", Flags::OMIT_EMPTY)],
    wire: &[Wire::inline(1, &[Wire::field(1, 0)]), Wire::field(2, 1)],
};

impl Fields for ConfigMapEnvSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.optional),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.optional),
            _ => FieldMut::NONE,
        }
    }
}
