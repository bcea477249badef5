// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `authentication.k8s.io/v1`.

use client_rs_api::authentication::v1::{SelfSubjectReview, TokenReview};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `authentication.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct AuthenticationV1 {
    rest: RestClient,
}

impl AuthenticationV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `selfsubjectreviews`.
    #[inline]
    pub fn self_subject_reviews(&self) -> Api<SelfSubjectReview> {
        Api::cluster(&self.rest)
    }

    /// `tokenreviews`.
    #[inline]
    pub fn token_reviews(&self) -> Api<TokenReview> {
        Api::cluster(&self.rest)
    }
}
