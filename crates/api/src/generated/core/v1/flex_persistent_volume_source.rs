// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SecretReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Map, Shared, Str};

/// [FlexPersistentVolumeSource](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#flexpersistentvolumesource-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct FlexPersistentVolumeSource {
    pub driver: Str,
    pub fs_type: Str,
    pub secret_ref: Option<Shared<SecretReference>>,
    pub read_only: bool,
    pub options: Map<Str>,
}

impl FlexPersistentVolumeSource {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        driver: Str::EMPTY,
        fs_type: Str::EMPTY,
        secret_ref: None,
        read_only: false,
        options: Map::EMPTY,
    };
}

client_rs_machinery::message!(FlexPersistentVolumeSource, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "FlexPersistentVolumeSource",
    type_meta: None,
    fields: &[
        Field::new("driver", Flags::NONE),
        Field::new("fsType", Flags::OMIT_EMPTY),
        Field::new("secretRef", Flags::OMIT_EMPTY).of::<SecretReference>(),
        Field::new("readOnly", Flags::OMIT_EMPTY),
        Field::new("options", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2), Wire::field(4, 3), Wire::field(5, 4)],
};

impl Fields for FlexPersistentVolumeSource {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.driver,
            1 => &self.fs_type,
            2 => &self.secret_ref,
            3 => &self.read_only,
            4 => &self.options,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.driver,
            1 => &mut self.fs_type,
            2 => &mut self.secret_ref,
            3 => &mut self.read_only,
            4 => &mut self.options,
            _ => return None,
        })
    }
}
