// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `coordination.k8s.io/v1alpha2`.

use client_rs_api::coordination::v1alpha2::LeaseCandidate;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `coordination.k8s.io/v1alpha2`.
#[derive(Clone, Debug)]
pub struct CoordinationV1alpha2 {
    rest: RestClient,
}

impl CoordinationV1alpha2 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `leasecandidates` of a namespace, or of all.
    #[inline]
    pub fn lease_candidates<W: Within>(&self, namespace: W) -> Api<LeaseCandidate, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
