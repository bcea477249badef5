// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SelfSubjectRulesReviewSpec;
use super::SubjectRulesReviewStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `SelfSubjectRulesReview` of `authorization.k8s.io/v1beta1`. Since 1.8. Deprecated since 1.19. Replaced by `SelfSubjectRulesReview` of `authorization.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectRulesReview {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: optional. The desired state.
    pub spec: SelfSubjectRulesReviewSpec,
    /// `status`: optional. The observed state.
    pub status: SubjectRulesReviewStatus,
}

impl SelfSubjectRulesReview {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: SelfSubjectRulesReviewSpec::EMPTY,
        status: SubjectRulesReviewStatus::EMPTY,
    };
}

client_rs_machinery::message!(SelfSubjectRulesReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelfSubjectRulesReview",
    type_meta: Some(TypeMeta {
        api_version: "authorization.k8s.io/v1beta1",
        kind: "SelfSubjectRulesReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<SelfSubjectRulesReviewSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<SubjectRulesReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for SelfSubjectRulesReview {
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

client_rs_machinery::object!(
    SelfSubjectRulesReview,
    "authorization.k8s.io/v1beta1",
    "SelfSubjectRulesReview"
);

impl client_rs_machinery::Resource for SelfSubjectRulesReview {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "authorization.k8s.io",
        version: "v1beta1",
        kind: "SelfSubjectRulesReview",
        plural: "selfsubjectrulesreviews",
        singular: "selfsubjectrulesreview",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(SelfSubjectRulesReview: Create);
