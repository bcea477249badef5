// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// [`TokenReviewSpec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenreviewspec-v1-authentication-k8s-io) of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TokenReviewSpec {
    /// [`token`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenreviewspec-v1-authentication-k8s-io): required.
    pub token: Str,
    /// [`audiences`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenreviewspec-v1-authentication-k8s-io): optional. Apply replaces the list.
    pub audiences: List<Str>,
}

impl TokenReviewSpec {
    /// Every field empty.
    pub const EMPTY: Self = Self { token: Str::EMPTY, audiences: List::EMPTY };
}

client_rs_machinery::message!(TokenReviewSpec, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenReviewSpec",
    type_meta: None,
    fields: &[
        Field::new("token", Flags::OMIT_EMPTY.and(Flags::SENSITIVE)),
        Field::new("audiences", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for TokenReviewSpec {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.token),
            1 => FieldRef::value(&self.audiences),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.token),
            1 => FieldMut::value(&mut self.audiences),
            _ => FieldMut::NONE,
        }
    }
}
