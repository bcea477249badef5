// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SelfSubjectReviewStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `SelfSubjectReview` of `authentication.k8s.io/v1alpha1`. Since 1.26.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectReview {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `status`: optional. The observed state.
    pub status: SelfSubjectReviewStatus,
}

impl SelfSubjectReview {
    /// Every field empty.
    pub const EMPTY: Self = Self { metadata: ObjectMeta::EMPTY, status: SelfSubjectReviewStatus::EMPTY };
}

client_rs_machinery::message!(SelfSubjectReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelfSubjectReview",
    type_meta: Some(TypeMeta {
        api_version: "authentication.k8s.io/v1alpha1",
        kind: "SelfSubjectReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<SelfSubjectReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1)],
};

impl Fields for SelfSubjectReview {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(SelfSubjectReview, "authentication.k8s.io/v1alpha1", "SelfSubjectReview");

impl client_rs_machinery::Resource for SelfSubjectReview {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "authentication.k8s.io",
        version: "v1alpha1",
        kind: "SelfSubjectReview",
        plural: "selfsubjectreviews",
        singular: "selfsubjectreview",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(SelfSubjectReview: Create);
