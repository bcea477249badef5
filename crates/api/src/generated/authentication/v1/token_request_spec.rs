// Made by `cargo xtask codegen` from schema: change those, not this.
use super::BoundObjectReference;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Map, Shared, Str, StringList};

/// [TokenRequestSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenrequestspec-v1-authentication-k8s-io) of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TokenRequestSpec {
    pub audiences: List<Str>,
    pub expiration_seconds: Option<i64>,
    pub bound_object_ref: Option<Shared<BoundObjectReference>>,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.audiences,
            1 => &self.expiration_seconds,
            2 => &self.bound_object_ref,
            3 => &self.attestations,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.audiences,
            1 => &mut self.expiration_seconds,
            2 => &mut self.bound_object_ref,
            3 => &mut self.attestations,
            _ => return None,
        })
    }
}
