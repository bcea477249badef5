// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EnvVarSource;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`EnvVar`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvar-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EnvVar {
    /// [`name`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvar-v1-core): required.
    pub name: Str,
    /// [`value`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvar-v1-core): optional.
    pub value: Str,
    /// [`valueFrom`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvar-v1-core): optional.
    pub value_from: Option<Shared<EnvVarSource>>,
}

impl EnvVar {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, value: Str::EMPTY, value_from: None };
}

client_rs_machinery::message!(EnvVar, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EnvVar",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("value", Flags::OMIT_EMPTY),
        Field::new("valueFrom", Flags::OMIT_EMPTY).of::<EnvVarSource>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EnvVar {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::value(&self.value),
            2 => FieldRef::optional(&self.value_from),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::value(&mut self.value),
            2 => FieldMut::optional(&mut self.value_from),
            _ => FieldMut::NONE,
        }
    }
}
