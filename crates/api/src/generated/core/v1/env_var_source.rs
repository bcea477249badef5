// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConfigMapKeySelector;
use super::FileKeySelector;
use super::ObjectFieldSelector;
use super::ResourceFieldSelector;
use super::SecretKeySelector;
use client_rs_machinery::Shared;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [EnvVarSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvarsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EnvVarSource {
    pub field_ref: Option<Shared<ObjectFieldSelector>>,
    pub resource_field_ref: Option<Shared<ResourceFieldSelector>>,
    pub config_map_key_ref: Option<Shared<ConfigMapKeySelector>>,
    pub secret_key_ref: Option<Shared<SecretKeySelector>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.field_ref,
            1 => &self.resource_field_ref,
            2 => &self.config_map_key_ref,
            3 => &self.secret_key_ref,
            4 => &self.file_key_ref,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.field_ref,
            1 => &mut self.resource_field_ref,
            2 => &mut self.config_map_key_ref,
            3 => &mut self.secret_key_ref,
            4 => &mut self.file_key_ref,
            _ => return None,
        })
    }
}
