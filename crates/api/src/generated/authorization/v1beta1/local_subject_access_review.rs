// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SubjectAccessReviewSpec;
use super::SubjectAccessReviewStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `LocalSubjectAccessReview` of `authorization.k8s.io/v1beta1`. Since 1.2. Deprecated since 1.19. Replaced by `LocalSubjectAccessReview` of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct LocalSubjectAccessReview {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: Shared<SubjectAccessReviewSpec>,
    /// `status`: optional. The observed state.
    pub status: SubjectAccessReviewStatus,
}

impl LocalSubjectAccessReview {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: SubjectAccessReviewStatus::EMPTY };
}

client_rs_machinery::message!(LocalSubjectAccessReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "LocalSubjectAccessReview",
    type_meta: Some(TypeMeta {
        api_version: "authorization.k8s.io/v1beta1",
        kind: "LocalSubjectAccessReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<SubjectAccessReviewSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<SubjectAccessReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for LocalSubjectAccessReview {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::shared(&self.spec),
            2 => FieldRef::message(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::shared(&mut self.spec),
            2 => FieldMut::message(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(
    LocalSubjectAccessReview,
    "authorization.k8s.io/v1beta1",
    "LocalSubjectAccessReview"
);

impl client_rs_machinery::Resource for LocalSubjectAccessReview {
    type Scope = client_rs_machinery::Namespaced;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "authorization.k8s.io",
        version: "v1beta1",
        kind: "LocalSubjectAccessReview",
        plural: "localsubjectaccessreviews",
        singular: "localsubjectaccessreview",
        namespaced: true,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(LocalSubjectAccessReview: Create);
