// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::Str;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};

/// `SubjectAccessReviewStatus` of `authorization.k8s.io/v1beta1`.
#[derive(Clone, PartialEq)]
pub struct SubjectAccessReviewStatus {
    /// `allowed`: optional.
    pub allowed: bool,
    /// `denied`: optional.
    pub denied: bool,
    /// `reason`: optional.
    pub reason: Str,
    /// `evaluationError`: optional.
    pub evaluation_error: Str,
}

impl SubjectAccessReviewStatus {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { allowed: false, denied: false, reason: Str::EMPTY, evaluation_error: Str::EMPTY };
}

client_rs_machinery::message!(SubjectAccessReviewStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SubjectAccessReviewStatus",
    type_meta: None,
    fields: &[
        Field::new("allowed", Flags::NONE),
        Field::new("denied", Flags::OMIT_EMPTY),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("evaluationError", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 2), Wire::field(3, 3), Wire::field(4, 1)],
};

impl Fields for SubjectAccessReviewStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.allowed),
            1 => FieldRef::value(&self.denied),
            2 => FieldRef::value(&self.reason),
            3 => FieldRef::value(&self.evaluation_error),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.allowed),
            1 => FieldMut::value(&mut self.denied),
            2 => FieldMut::value(&mut self.reason),
            3 => FieldMut::value(&mut self.evaluation_error),
            _ => FieldMut::NONE,
        }
    }
}
