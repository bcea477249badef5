// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `coordination.k8s.io/v1`.

use client_rs_api::coordination::v1::Lease;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `coordination.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct CoordinationV1 {
    rest: RestClient,
}

impl CoordinationV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `leases` of a namespace, or of all.
    #[inline]
    pub fn leases<W: Within>(&self, namespace: W) -> Api<Lease, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
