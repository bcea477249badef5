// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `PriorityLevelConfigurationReference` of `flowcontrol.apiserver.k8s.io/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct PriorityLevelConfigurationReference {
    /// `name`: required.
    pub name: Str,
}

impl PriorityLevelConfigurationReference {
    /// Every field empty.
    pub const EMPTY: Self = Self { name: Str::EMPTY };
}

client_rs_machinery::message!(PriorityLevelConfigurationReference, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "PriorityLevelConfigurationReference",
    type_meta: None,
    fields: &[Field::new("name", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for PriorityLevelConfigurationReference {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.name),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.name),
            _ => FieldMut::NONE,
        }
    }
}
