// Made by `cargo xtask codegen` from schema: change those, not this.
use super::UserInfo;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{List, Str};

/// `TokenReviewStatus` of `authentication.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct TokenReviewStatus {
    /// `authenticated`: optional.
    pub authenticated: bool,
    /// `user`: optional.
    pub user: UserInfo,
    /// `audiences`: optional. Apply replaces the list.
    pub audiences: List<Str>,
    /// `error`: optional.
    pub error: Str,
}

impl TokenReviewStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { authenticated: false, user: UserInfo::EMPTY, audiences: List::EMPTY, error: Str::EMPTY };
}

client_rs_machinery::message!(TokenReviewStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenReviewStatus",
    type_meta: None,
    fields: &[
        Field::new("authenticated", Flags::OMIT_EMPTY),
        Field::new("user", Flags::OMIT_EMPTY).of::<UserInfo>(),
        Field::new("audiences", Flags::OMIT_EMPTY),
        Field::new("error", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 3), Wire::field(4, 2)],
};

impl Fields for TokenReviewStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.authenticated),
            1 => FieldRef::message(&self.user),
            2 => FieldRef::value(&self.audiences),
            3 => FieldRef::value(&self.error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.authenticated),
            1 => FieldMut::message(&mut self.user),
            2 => FieldMut::value(&mut self.audiences),
            3 => FieldMut::value(&mut self.error),
            _ => FieldMut::NONE,
        }
    }
}
