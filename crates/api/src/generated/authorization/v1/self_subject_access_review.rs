// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SelfSubjectAccessReviewSpec;
use super::SubjectAccessReviewStatus;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`SelfSubjectAccessReview`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selfsubjectaccessreview-v1-authorization-k8s-io) of `authorization.k8s.io/v1`. Served as `selfsubjectaccessreviews`, cluster-scoped. Since 1.19.
#[derive(Clone, PartialEq)]
pub struct SelfSubjectAccessReview {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selfsubjectaccessreview-v1-authorization-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selfsubjectaccessreview-v1-authorization-k8s-io): required. The desired state.
    pub spec: SelfSubjectAccessReviewSpec,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#selfsubjectaccessreview-v1-authorization-k8s-io): optional. The observed state.
    pub status: SubjectAccessReviewStatus,
}

impl SelfSubjectAccessReview {
    /// Every field empty.
    pub const EMPTY: Self = Self {
        metadata: ObjectMeta::EMPTY,
        spec: SelfSubjectAccessReviewSpec::EMPTY,
        status: SubjectAccessReviewStatus::EMPTY,
    };
}

client_rs_machinery::message!(SelfSubjectAccessReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SelfSubjectAccessReview",
    type_meta: Some(TypeMeta {
        api_version: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<SelfSubjectAccessReviewSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<SubjectAccessReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for SelfSubjectAccessReview {
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

client_rs_machinery::object!(SelfSubjectAccessReview, "authorization.k8s.io/v1", "SelfSubjectAccessReview");

impl client_rs_machinery::Resource for SelfSubjectAccessReview {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "authorization.k8s.io",
        version: "v1",
        kind: "SelfSubjectAccessReview",
        plural: "selfsubjectaccessreviews",
        singular: "selfsubjectaccessreview",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(SelfSubjectAccessReview: Create);
