// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `RollbackConfig` of `extensions/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct RollbackConfig {
    /// `revision`: optional.
    pub revision: i64,
}

impl RollbackConfig {
    /// Every field empty.
    pub const EMPTY: Self = Self { revision: 0 };
}

client_rs_machinery::message!(RollbackConfig, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "RollbackConfig",
    type_meta: None,
    fields: &[Field::new("revision", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for RollbackConfig {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.revision),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.revision),
            _ => FieldMut::NONE,
        }
    }
}
