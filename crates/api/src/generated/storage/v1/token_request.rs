// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [TokenRequest](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequest-v1-storage-k8s-io) of `storage.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TokenRequest {
    pub audience: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.audience,
            1 => &self.expiration_seconds,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.audience,
            1 => &mut self.expiration_seconds,
            _ => return None,
        })
    }
}
