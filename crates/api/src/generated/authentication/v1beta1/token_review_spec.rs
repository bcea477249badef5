// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};
use client_rs_machinery::{List, Str};

/// [TokenReviewSpec](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#tokenreviewspec-v1beta1-authentication-k8s-io) of `authentication.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct TokenReviewSpec {
    pub token: Str,
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.token,
            1 => &self.audiences,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.token,
            1 => &mut self.audiences,
            _ => return None,
        })
    }
}
