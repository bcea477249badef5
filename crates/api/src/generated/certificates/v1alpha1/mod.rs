// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/certificates/v1alpha1`.

mod cluster_trust_bundle;
mod cluster_trust_bundle_list;
mod cluster_trust_bundle_spec;

pub use cluster_trust_bundle::ClusterTrustBundle;
pub use cluster_trust_bundle_list::ClusterTrustBundleList;
pub use cluster_trust_bundle_spec::ClusterTrustBundleSpec;
