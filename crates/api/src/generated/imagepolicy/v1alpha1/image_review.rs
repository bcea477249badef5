// Made by `cargo xtask codegen` from schema: change those, not this.
use super::ImageReviewSpec;
use super::ImageReviewStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `ImageReview` of `imagepolicy.k8s.io/v1alpha1`.
#[derive(Clone, PartialEq)]
pub struct ImageReview {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: ImageReviewSpec,
    /// `status`: optional. The observed state.
    pub status: ImageReviewStatus,
}

impl ImageReview {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: ImageReviewSpec::EMPTY, status: ImageReviewStatus::EMPTY };
}

client_rs_machinery::message!(ImageReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "ImageReview",
    type_meta: Some(TypeMeta {
        api_version: "imagepolicy.k8s.io/v1alpha1",
        kind: "ImageReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<ImageReviewSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<ImageReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for ImageReview {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(ImageReview, "imagepolicy.k8s.io/v1alpha1", "ImageReview");
