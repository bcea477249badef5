// Made by `cargo xtask codegen` from schema: change those, not this.
use super::EnvVarSource;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{Shared, Str};

/// [EnvVar](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#envvar-v1-core) of `core/v1`.
#[derive(Clone, PartialEq)]
pub struct EnvVar {
    pub name: Str,
    pub value: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.value,
            2 => &self.value_from,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.value,
            2 => &mut self.value_from,
            _ => return None,
        })
    }
}
