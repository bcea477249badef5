// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/certificates/v1`.

mod certificate_signing_request;
mod certificate_signing_request_condition;
mod certificate_signing_request_list;
mod certificate_signing_request_spec;
mod certificate_signing_request_status;
mod cluster_trust_bundle;
mod cluster_trust_bundle_list;
mod cluster_trust_bundle_spec;
mod constants;
mod pod_certificate_request;
mod pod_certificate_request_list;
mod pod_certificate_request_spec;
mod pod_certificate_request_status;

pub use certificate_signing_request::CertificateSigningRequest;
pub use certificate_signing_request_condition::CertificateSigningRequestCondition;
pub use certificate_signing_request_list::CertificateSigningRequestList;
pub use certificate_signing_request_spec::CertificateSigningRequestSpec;
pub use certificate_signing_request_status::CertificateSigningRequestStatus;
pub use cluster_trust_bundle::ClusterTrustBundle;
pub use cluster_trust_bundle_list::ClusterTrustBundleList;
pub use cluster_trust_bundle_spec::ClusterTrustBundleSpec;
pub use constants::*;
pub use pod_certificate_request::PodCertificateRequest;
pub use pod_certificate_request_list::PodCertificateRequestList;
pub use pod_certificate_request_spec::PodCertificateRequestSpec;
pub use pod_certificate_request_status::PodCertificateRequestStatus;
