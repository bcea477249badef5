// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `TokenRequest` of `storage.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct TokenRequest {
    /// `audience`: optional.
    pub audience: Str,
    /// `expirationSeconds`: optional.
    pub expiration_seconds: Option<i64>,
}

impl TokenRequest {
    /// Every field empty.
    pub const EMPTY: Self = Self { audience: Str::EMPTY, expiration_seconds: None };
}

client_rs_machinery::message!(TokenRequest, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenRequest",
    type_meta: None,
    fields: &[Field::new("audience", Flags::NONE), Field::new("expirationSeconds", Flags::OMIT_EMPTY)],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for TokenRequest {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.audience),
            1 => FieldRef::value(&self.expiration_seconds),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.audience),
            1 => FieldMut::value(&mut self.expiration_seconds),
            _ => FieldMut::NONE,
        }
    }
}
