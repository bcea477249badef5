// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/coordination/v1beta1`.

mod lease;
mod lease_candidate;
mod lease_candidate_list;
mod lease_candidate_spec;
mod lease_list;
mod lease_spec;

pub use lease::Lease;
pub use lease_candidate::LeaseCandidate;
pub use lease_candidate_list::LeaseCandidateList;
pub use lease_candidate_spec::LeaseCandidateSpec;
pub use lease_list::LeaseList;
pub use lease_spec::LeaseSpec;
