// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Str, Time};

/// [`TokenRequestStatus`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequeststatus-v1-authentication-k8s-io) of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TokenRequestStatus {
    /// [`token`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequeststatus-v1-authentication-k8s-io): optional.
    pub token: Str,
    /// [`expirationTimestamp`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequeststatus-v1-authentication-k8s-io): optional.
    pub expiration_timestamp: Option<Time>,
}

impl TokenRequestStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { token: Str::EMPTY, expiration_timestamp: None };
}

client_rs_machinery::message!(TokenRequestStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenRequestStatus",
    type_meta: None,
    fields: &[Field::new("token", Flags::SENSITIVE), Field::new("expirationTimestamp", Flags::NONE)],
    wire: &[Wire::field(1, 0), Wire::always(2, 1)],
};

impl Fields for TokenRequestStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.token),
            1 => FieldRef::value(&self.expiration_timestamp),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.token),
            1 => FieldMut::value(&mut self.expiration_timestamp),
            _ => FieldMut::NONE,
        }
    }
}
