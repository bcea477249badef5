// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StorageHealthCondition;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [StorageHealth](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#storagehealth-v1beta1-storage-k8s-io) of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StorageHealth {
    pub name: Str,
    pub health_conditions: List<StorageHealthCondition>,
}

impl StorageHealth {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY, health_conditions: List::EMPTY };
}

client_rs_machinery::message!(StorageHealth, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StorageHealth",
    type_meta: None,
    fields: &[
        Field::new("name", Flags::NONE),
        Field::new("healthConditions", Flags::OMIT_EMPTY).of::<StorageHealthCondition>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for StorageHealth {
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.name,
            1 => &self.health_conditions,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.name,
            1 => &mut self.health_conditions,
            _ => return None,
        })
    }
}
