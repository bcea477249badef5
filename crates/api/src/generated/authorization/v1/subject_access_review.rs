// Made by `cargo xtask codegen` from schema: change those, not this.
use super::SubjectAccessReviewSpec;
use super::SubjectAccessReviewStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// [`SubjectAccessReview`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreview-v1-authorization-k8s-io) of `authorization.k8s.io/v1`. Served as `subjectaccessreviews`, cluster-scoped. Since 1.6.
#[derive(Clone, PartialEq)]
pub struct SubjectAccessReview {
    /// [`metadata`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreview-v1-authorization-k8s-io): optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// [`spec`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreview-v1-authorization-k8s-io): required. The desired state.
    pub spec: Shared<SubjectAccessReviewSpec>,
    /// [`status`](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#subjectaccessreview-v1-authorization-k8s-io): optional. The observed state.
    pub status: SubjectAccessReviewStatus,
}

impl SubjectAccessReview {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: Shared::DEFAULT, status: SubjectAccessReviewStatus::EMPTY };
}

client_rs_machinery::message!(SubjectAccessReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "SubjectAccessReview",
    type_meta: Some(TypeMeta {
        api_version: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<SubjectAccessReviewSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<SubjectAccessReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for SubjectAccessReview {
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

client_rs_machinery::object!(SubjectAccessReview, "authorization.k8s.io/v1", "SubjectAccessReview");

impl client_rs_machinery::Resource for SubjectAccessReview {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "authorization.k8s.io",
        version: "v1",
        kind: "SubjectAccessReview",
        plural: "subjectaccessreviews",
        singular: "subjectaccessreview",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(SubjectAccessReview: Create);
