// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `authorization.k8s.io/v1beta1`.

use client_rs_api::authorization::v1beta1::{
    LocalSubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview, SubjectAccessReview,
};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `authorization.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct AuthorizationV1beta1 {
    rest: RestClient,
}

impl AuthorizationV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `localsubjectaccessreviews` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn local_subject_access_reviews<W: Within>(
        &self,
        namespace: W,
    ) -> Api<LocalSubjectAccessReview, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `selfsubjectaccessreviews`. Not served by the pinned API server.
    #[inline]
    pub fn self_subject_access_reviews(&self) -> Api<SelfSubjectAccessReview> {
        Api::cluster(&self.rest)
    }

    /// `selfsubjectrulesreviews`. Not served by the pinned API server.
    #[inline]
    pub fn self_subject_rules_reviews(&self) -> Api<SelfSubjectRulesReview> {
        Api::cluster(&self.rest)
    }

    /// `subjectaccessreviews`. Not served by the pinned API server.
    #[inline]
    pub fn subject_access_reviews(&self) -> Api<SubjectAccessReview> {
        Api::cluster(&self.rest)
    }
}
