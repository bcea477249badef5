// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `NonResourceAttributes` of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct NonResourceAttributes {
    /// `path`: optional.
    pub path: Str,
    /// `verb`: optional.
    pub verb: Str,
}

impl NonResourceAttributes {
    /// Every field empty.
    pub const EMPTY: Self = Self { path: Str::EMPTY, verb: Str::EMPTY };
}

client_rs_machinery::message!(NonResourceAttributes, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "NonResourceAttributes",
    type_meta: None,
    fields: &[Field::new("path", Flags::OMIT_EMPTY), Field::new("verb", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for NonResourceAttributes {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.path),
            1 => FieldRef::value(&self.verb),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.path),
            1 => FieldMut::value(&mut self.verb),
            _ => FieldMut::NONE,
        }
    }
}
