// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `authentication.k8s.io/v1alpha1`.

use client_rs_api::authentication::v1alpha1::SelfSubjectReview;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `authentication.k8s.io/v1alpha1`.
#[derive(Clone, Debug)]
pub struct AuthenticationV1alpha1 {
    rest: RestClient,
}

impl AuthenticationV1alpha1 {
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
}
