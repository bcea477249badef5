// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ConfigMapEnvSource;
use super::SecretEnvSource;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [EnvFromSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envfromsource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EnvFromSource {
    pub prefix: Str,
    pub config_map_ref: Option<Shared<ConfigMapEnvSource>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.prefix,
            1 => &self.config_map_ref,
            2 => &self.secret_ref,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.prefix,
            1 => &mut self.config_map_ref,
            2 => &mut self.secret_ref,
            _ => return None,
        })
    }
}
