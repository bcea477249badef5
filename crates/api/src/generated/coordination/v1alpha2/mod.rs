// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/api/coordination/v1alpha2`.

mod lease_candidate;
mod lease_candidate_list;
mod lease_candidate_spec;

pub use lease_candidate::LeaseCandidate;
pub use lease_candidate_list::LeaseCandidateList;
pub use lease_candidate_spec::LeaseCandidateSpec;
