// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConfigMapKeySelector;
use super::FileKeySelector;
use super::ObjectFieldSelector;
use super::ResourceFieldSelector;
use super::SecretKeySelector;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// [`EnvVarSource`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EnvVarSource {
    /// [`fieldRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core): optional.
    pub field_ref: Option<Shared<ObjectFieldSelector>>,
    /// [`resourceFieldRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core): optional.
    pub resource_field_ref: Option<Shared<ResourceFieldSelector>>,
    /// [`configMapKeyRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core): optional.
    pub config_map_key_ref: Option<Shared<ConfigMapKeySelector>>,
    /// [`secretKeyRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core): optional.
    pub secret_key_ref: Option<Shared<SecretKeySelector>>,
    /// [`fileKeyRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core): optional, since 1.34. Feature gate `EnvFiles`.
    pub file_key_ref: Option<Shared<FileKeySelector>>,
}

impl EnvVarSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        field_ref: None,
        resource_field_ref: None,
        config_map_key_ref: None,
        secret_key_ref: None,
        file_key_ref: None,
    };
}

client_rs_machinery::message!(EnvVarSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "EnvVarSource",
    type_meta: None,
    fields: &[
        Field::new("fieldRef", Flags::OMIT_EMPTY).of::<ObjectFieldSelector>(),
        Field::new("resourceFieldRef", Flags::OMIT_EMPTY).of::<ResourceFieldSelector>(),
        Field::new("configMapKeyRef", Flags::OMIT_EMPTY).of::<ConfigMapKeySelector>(),
        Field::new("secretKeyRef", Flags::OMIT_EMPTY).of::<SecretKeySelector>(),
        Field::new("fileKeyRef", Flags::OMIT_EMPTY).of::<FileKeySelector>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for EnvVarSource {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::optional(&self.field_ref),
            1 => FieldRef::optional(&self.resource_field_ref),
            2 => FieldRef::optional(&self.config_map_key_ref),
            3 => FieldRef::optional(&self.secret_key_ref),
            4 => FieldRef::optional(&self.file_key_ref),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::optional(&mut self.field_ref),
            1 => FieldMut::optional(&mut self.resource_field_ref),
            2 => FieldMut::optional(&mut self.config_map_key_ref),
            3 => FieldMut::optional(&mut self.secret_key_ref),
            4 => FieldMut::optional(&mut self.file_key_ref),
            _ => FieldMut::NONE,
        }
    }
}
