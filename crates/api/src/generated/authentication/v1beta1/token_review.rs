// Made by `cargo xtask codegen` from schema: change those, not this.
use super::TokenReviewSpec;
use super::TokenReviewStatus;
use client_rs_machinery::Shared;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{Descriptor, Field, FieldMut, FieldRef, Fields, Flags, TypeMeta, Wire};

/// `TokenReview` of `authentication.k8s.io/v1beta1`. Since 1.4. Deprecated since 1.19. Replaced by `TokenReview` of `authentication.k8s.io/v1`.
#[derive(Clone, PartialEq)]
pub struct TokenReview {
    /// `metadata`: optional. The name, labels and other metadata.
    pub metadata: ObjectMeta,
    /// `spec`: required. The desired state.
    pub spec: TokenReviewSpec,
    /// `status`: optional. The observed state.
    pub status: Shared<TokenReviewStatus>,
}

impl TokenReview {
    /// Every field empty.
    pub const EMPTY: Self =
        Self { metadata: ObjectMeta::EMPTY, spec: TokenReviewSpec::EMPTY, status: Shared::DEFAULT };
}

client_rs_machinery::message!(TokenReview, DESCRIPTOR);

static DESCRIPTOR: Descriptor = Descriptor {
    name: "TokenReview",
    type_meta: Some(TypeMeta {
        api_version: "authentication.k8s.io/v1beta1",
        kind: "TokenReview",
        everywhere: false,
    }),
    fields: &[
        Field::new("metadata", Flags::OMIT_EMPTY).of::<ObjectMeta>(),
        Field::new("spec", Flags::NONE).of::<TokenReviewSpec>(),
        Field::new("status", Flags::OMIT_EMPTY).of::<TokenReviewStatus>(),
    ],
    wire: &[Wire::field(1, 0), Wire::field(2, 1), Wire::field(3, 2)],
};

impl Fields for TokenReview {
    #[inline(never)]
    fn descriptor(&self) -> &'static Descriptor {
        &DESCRIPTOR
    }

    #[inline(never)]
    fn field(&self, index: usize) -> FieldRef<'_> {
        match index {
            0 => FieldRef::message(&self.metadata),
            1 => FieldRef::message(&self.spec),
            2 => FieldRef::shared(&self.status),
            _ => FieldRef::NONE,
        }
    }

    #[inline(never)]
    fn field_mut(&mut self, index: usize) -> FieldMut<'_> {
        match index {
            0 => FieldMut::message(&mut self.metadata),
            1 => FieldMut::message(&mut self.spec),
            2 => FieldMut::shared(&mut self.status),
            _ => FieldMut::NONE,
        }
    }
}

client_rs_machinery::object!(TokenReview, "authentication.k8s.io/v1beta1", "TokenReview");

impl client_rs_machinery::Resource for TokenReview {
    type Scope = client_rs_machinery::Cluster;

    const INFO: &'static client_rs_machinery::ResourceInfo = &client_rs_machinery::ResourceInfo {
        group: "authentication.k8s.io",
        version: "v1beta1",
        kind: "TokenReview",
        plural: "tokenreviews",
        singular: "tokenreview",
        namespaced: false,
        short_names: &[],
        categories: &[],
        verbs: &["create"],
        subresources: &[],
    };
}

client_rs_machinery::verbs!(TokenReview: Create);
