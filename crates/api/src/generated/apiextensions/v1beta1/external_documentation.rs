// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `ExternalDocumentation` of `apiextensions.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct ExternalDocumentation {
    /// `description`: optional.
    pub description: Str,
    /// `url`: optional.
    pub url: Str,
}

impl ExternalDocumentation {
    /// Every field empty.
    pub const EMPTY: Self = Self { description: Str::EMPTY, url: Str::EMPTY };
}

client_rs_machinery::message!(ExternalDocumentation, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ExternalDocumentation",
    type_meta: None,
    fields: &[Field::new("description", Flags::OMIT_EMPTY), Field::new("url", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for ExternalDocumentation {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.description),
            1 => FieldRef::value(&self.url),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.description),
            1 => FieldMut::value(&mut self.url),
            _ => FieldMut::NONE,
        }
    }
}
