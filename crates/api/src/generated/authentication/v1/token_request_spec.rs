// Made by `cargo xtask codegen` from schema: change those, not this.
use super::BoundObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Map, Shared, Str, StringList};

/// [`TokenRequestSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequestspec-v1-authentication-k8s-io) of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TokenRequestSpec {
    /// [`audiences`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequestspec-v1-authentication-k8s-io): optional. Apply replaces the list.
    pub audiences: List<Str>,
    /// [`expirationSeconds`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequestspec-v1-authentication-k8s-io): optional.
    pub expiration_seconds: Option<i64>,
    /// [`boundObjectRef`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequestspec-v1-authentication-k8s-io): optional.
    pub bound_object_ref: Option<Shared<BoundObjectReference>>,
    /// [`attestations`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequestspec-v1-authentication-k8s-io): optional, since 1.37.
    pub attestations: Map<StringList>,
}

impl TokenRequestSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        audiences: List::EMPTY,
        expiration_seconds: None,
        bound_object_ref: None,
        attestations: Map::EMPTY,
    };
}

client_rs_machinery::message!(TokenRequestSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenRequestSpec",
    type_meta: None,
    fields: &[
        Field::new("audiences", Flags::NONE),
        Field::new("expirationSeconds", Flags::NONE),
        Field::new("boundObjectRef", Flags::NONE).of::<BoundObjectReference>(),
        Field::new("attestations", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(3, 2), Wire::field(4, 1), Wire::field(5, 3)],
};

impl Fields for TokenRequestSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.audiences),
            1 => FieldRef::value(&self.expiration_seconds),
            2 => FieldRef::optional(&self.bound_object_ref),
            3 => FieldRef::value(&self.attestations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.audiences),
            1 => FieldMut::value(&mut self.expiration_seconds),
            2 => FieldMut::optional(&mut self.bound_object_ref),
            3 => FieldMut::value(&mut self.attestations),
            _ => FieldMut::NONE,
        }
    }
}
