// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `certificates.k8s.io/v1beta1`.

use client_rs_api::certificates::v1beta1::{
    CertificateSigningRequest, ClusterTrustBundle, PodCertificateRequest,
};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `certificates.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct CertificatesV1beta1 {
    rest: RestClient,
}

impl CertificatesV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `certificatesigningrequests`. Not served by the pinned API server.
    #[inline]
    pub fn certificate_signing_requests(&self) -> Api<CertificateSigningRequest> {
        Api::cluster(&self.rest)
    }

    /// `clustertrustbundles`.
    #[inline]
    pub fn cluster_trust_bundles(&self) -> Api<ClusterTrustBundle> {
        Api::cluster(&self.rest)
    }

    /// `podcertificaterequests` of a namespace, or of all.
    #[inline]
    pub fn pod_certificate_requests<W: Within>(&self, namespace: W) -> Api<PodCertificateRequest, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
