// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ScaleSpec` of `apps/v1beta2`.
#[derive(Clone, PartialEq)]
pub struct ScaleSpec {
    /// `replicas`: optional. At least 0.
    pub replicas: i32,
}

impl ScaleSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { replicas: 0 };
}

client_rs_machinery::message!(ScaleSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ScaleSpec",
    type_meta: None,
    fields: &[Field::new("replicas", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for ScaleSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.replicas),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.replicas),
            _ => FieldMut::NONE,
        }
    }
}
