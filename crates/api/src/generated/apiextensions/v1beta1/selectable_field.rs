// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `SelectableField` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct SelectableField {
    /// `jsonPath`: optional.
    pub json_path: Str,
}

impl SelectableField {
    /// Every field empty.
    pub const EMPTY: Self = Self { json_path: Str::EMPTY };
}

client_rs_machinery::message!(SelectableField, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelectableField",
    type_meta: None,
    fields: &[Field::new("jsonPath", Flags::NONE)],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SelectableField {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.json_path),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.json_path),
            _ => FieldMut::NONE,
        }
    }
}
