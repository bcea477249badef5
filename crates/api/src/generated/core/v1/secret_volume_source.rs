// Made by `cargo xtask codegen` from schema: change those, not this.
use super::KeyToPath;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [SecretVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#secretvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct SecretVolumeSource {
    pub secret_name: Str,
    pub items: List<KeyToPath>,
    pub default_mode: Option<i32>,
    pub optional: Option<bool>,
    pub default_user: Option<i64>,
}

impl SecretVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        secret_name: Str::EMPTY,
        items: List::EMPTY,
        default_mode: None,
        optional: None,
        default_user: None,
    };
}

client_rs_machinery::message!(SecretVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SecretVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("secretName", Flags::OMIT_EMPTY),
        Field::new("items", Flags::OMIT_EMPTY).of::<KeyToPath>(),
        Field::new("defaultMode", Flags::OMIT_EMPTY),
        Field::new("optional", Flags::OMIT_EMPTY),
        Field::new("defaultUser", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for SecretVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.secret_name,
            1 => &self.items,
            2 => &self.default_mode,
            3 => &self.optional,
            4 => &self.default_user,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.secret_name,
            1 => &mut self.items,
            2 => &mut self.default_mode,
            3 => &mut self.optional,
            4 => &mut self.default_user,
            _ => return None,
        })
    }
}
