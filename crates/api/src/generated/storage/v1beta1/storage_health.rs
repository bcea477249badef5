// Made by `cargo xtask codegen` from schema: change those, not this.
use super::StorageHealthCondition;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `StorageHealth` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StorageHealth {
    /// `name`: required.
    pub name: Str,
    /// `healthConditions`: optional. Apply replaces the list.
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
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            1 => FieldRef::list(&self.health_conditions),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            1 => FieldMut::list(&mut self.health_conditions),
            _ => FieldMut::NONE,
        }
    }
}
