// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `certificates`.

use client_rs_api::certificates::{v1, v1alpha1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "certificates" {
    v1: V1,
    v1alpha1: V1alpha1,
    v1beta1: V1beta1,
});

version!(V1 of "certificates/v1" {
    certificate_signing_requests: v1::CertificateSigningRequest,
    cluster_trust_bundles: v1::ClusterTrustBundle,
    pod_certificate_requests: v1::PodCertificateRequest,
});

version!(V1alpha1 of "certificates/v1alpha1" {
    cluster_trust_bundles: v1alpha1::ClusterTrustBundle,
});

version!(V1beta1 of "certificates/v1beta1" {
    certificate_signing_requests: v1beta1::CertificateSigningRequest,
    cluster_trust_bundles: v1beta1::ClusterTrustBundle,
    pod_certificate_requests: v1beta1::PodCertificateRequest,
});
