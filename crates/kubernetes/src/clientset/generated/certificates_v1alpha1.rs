// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `certificates.k8s.io/v1alpha1`.

use client_rs_api::certificates::v1alpha1::ClusterTrustBundle;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `certificates.k8s.io/v1alpha1`.
#[derive(Clone, Debug)]
pub struct CertificatesV1alpha1 {
    rest: RestClient,
}

impl CertificatesV1alpha1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `clustertrustbundles`. Not served by the pinned API server.
    #[inline]
    pub fn cluster_trust_bundles(&self) -> Api<ClusterTrustBundle> {
        Api::cluster(&self.rest)
    }
}
