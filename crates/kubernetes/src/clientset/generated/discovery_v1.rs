// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `discovery.k8s.io/v1`.

use client_rs_api::discovery::v1::EndpointSlice;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `discovery.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct DiscoveryV1 {
    rest: RestClient,
}

impl DiscoveryV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `endpointslices` of a namespace, or of all.
    #[inline]
    pub fn endpoint_slices<W: Within>(&self, namespace: W) -> Api<EndpointSlice, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
