// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `lifecycle.k8s.io/v1alpha1`.

use client_rs_api::lifecycle::v1alpha1::{Eviction, EvictionRequest};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `lifecycle.k8s.io/v1alpha1`.
#[derive(Clone, Debug)]
pub struct LifecycleV1alpha1 {
    rest: RestClient,
}

impl LifecycleV1alpha1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `evictionrequests` of a namespace, or of all.
    #[inline]
    pub fn eviction_requests<W: Within>(&self, namespace: W) -> Api<EvictionRequest, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `evictions` of a namespace, or of all.
    #[inline]
    pub fn evictions<W: Within>(&self, namespace: W) -> Api<Eviction, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
