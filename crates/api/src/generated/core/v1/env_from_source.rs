// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConfigMapEnvSource;
use super::SecretEnvSource;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Shared, Str};

/// [`EnvFromSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envfromsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EnvFromSource {
    /// [`prefix`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envfromsource-v1-core): optional.
    pub prefix: Str,
    /// [`configMapRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envfromsource-v1-core): optional.
    pub config_map_ref: Option<Shared<ConfigMapEnvSource>>,
    /// [`secretRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envfromsource-v1-core): optional.
    pub secret_ref: Option<Shared<SecretEnvSource>>,
}

impl EnvFromSource {
    /// Every field empty.
    pub const EMPTY: Self = Self { prefix: Str::EMPTY, config_map_ref: None, secret_ref: None };
}

client_rs_machinery::message!(EnvFromSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EnvFromSource",
    type_meta: None,
    fields: &[
        Field::new("prefix", Flags::OMIT_EMPTY),
        Field::new("configMapRef", Flags::OMIT_EMPTY).of::<ConfigMapEnvSource>(),
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<SecretEnvSource>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for EnvFromSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.prefix),
            1 => FieldRef::optional(&self.config_map_ref),
            2 => FieldRef::optional(&self.secret_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.prefix),
            1 => FieldMut::optional(&mut self.config_map_ref),
            2 => FieldMut::optional(&mut self.secret_ref),
            _ => FieldMut::NONE,
        }
    }
}
