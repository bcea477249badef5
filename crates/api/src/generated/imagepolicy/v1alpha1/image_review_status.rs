// Made by `cargo xtask codegen` from schema: change those, not this.
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, Wire};
use client_rs_machinery::{Map, Str};

/// `ImageReviewStatus` of `imagepolicy.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ImageReviewStatus {
    /// `allowed`: optional.
    pub allowed: bool,
    /// `reason`: optional.
    pub reason: Str,
    /// `auditAnnotations`: optional.
    pub audit_annotations: Map<Str>,
}

impl ImageReviewStatus {
    /// Every field empty.
    pub const EMPTY: Self = Self { allowed: false, reason: Str::EMPTY, audit_annotations: Map::EMPTY };
}

client_rs_machinery::message!(ImageReviewStatus, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageReviewStatus",
    type_meta: None,
    fields: &[
        Field::new("allowed", Flags::NONE),
        Field::new("reason", Flags::OMIT_EMPTY),
        Field::new("auditAnnotations", Flags::OMIT_EMPTY),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ImageReviewStatus {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::value(&self.allowed),
            1 => FieldRef::value(&self.reason),
            2 => FieldRef::value(&self.audit_annotations),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::value(&mut self.allowed),
            1 => FieldMut::value(&mut self.reason),
            2 => FieldMut::value(&mut self.audit_annotations),
            _ => FieldMut::NONE,
        }
    }
}
