// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `StatefulSetOrdinals` of `apps/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct StatefulSetOrdinals {
    /// `start`: optional.
    pub start: i32,
}

impl StatefulSetOrdinals {
    /// Every field empty.
    pub const EMPTY: Self = Self { start: 0 };
}

client_rs_machinery::message!(StatefulSetOrdinals, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "StatefulSetOrdinals",
    type_meta: None,
    fields: &[Field::new("start", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for StatefulSetOrdinals {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.start),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.start),
            _ => FieldMut::NONE,
        }
    }
}
