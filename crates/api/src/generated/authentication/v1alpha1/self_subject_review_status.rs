// Made by `cargo xtask codegen` from schema: change those, not this.
use crate::authentication::v1::UserInfo;
use client_rs_machinery::wire::{Descriptor, Field, Fields, Flags, Value, Wire};

/// [SelfSubjectReviewStatus](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selfsubjectreviewstatus-v1alpha1-authentication-k8s-io) of `authentication.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectReviewStatus {
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
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    fn field(&self, index: usize) -> Option<&dyn Value> {
        Some(match index {
            0 => &self.user_info,
            _ => return None,
        })
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Value> {
        Some(match index {
            0 => &mut self.user_info,
            _ => return None,
        })
    }
}
