// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `authentication.k8s.io/v1beta1`.

use client_rs_api::authentication::v1beta1::{SelfSubjectReview, TokenReview};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `authentication.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct AuthenticationV1beta1 {
    rest: RestClient,
}

impl AuthenticationV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `selfsubjectreviews`. Not served by the pinned API server.
    #[inline]
    pub fn self_subject_reviews(&self) -> Api<SelfSubjectReview> {
        Api::cluster(&self.rest)
    }

    /// `tokenreviews`. Not served by the pinned API server.
    #[inline]
    pub fn token_reviews(&self) -> Api<TokenReview> {
        Api::cluster(&self.rest)
    }
}
