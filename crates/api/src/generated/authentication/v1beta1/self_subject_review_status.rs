// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::authentication::v1::UserInfo;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `SelfSubjectReviewStatus` of `authentication.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectReviewStatus {
    /// `userInfo`: optional.
    pub user_info: UserInfo,
}

impl SelfSubjectReviewStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { user_info: UserInfo::EMPTY };
}

client_rs_machinery::message!(SelfSubjectReviewStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelfSubjectReviewStatus",
    type_meta: None,
    fields: &[Field::new("userInfo", Flags::OMIT_EMPTY).of::<UserInfo>()],
    wire: &[Wire::field(1, 0)],
};

impl Fields for SelfSubjectReviewStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.user_info),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.user_info),
            _ => FieldMut::NONE,
        }
    }
}
