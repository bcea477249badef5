// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `metrics.k8s.io/v1`.

use client_rs_api::metrics::v1::{NodeMetrics, PodMetrics};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `metrics.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct MetricsV1 {
    rest: RestClient,
}

impl MetricsV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `nodes`. Not served by the pinned API server.
    #[inline]
    pub fn node_metricses(&self) -> Api<NodeMetrics> {
        Api::cluster(&self.rest)
    }

    /// `pods` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn pod_metricses<W: Within>(&self, namespace: W) -> Api<PodMetrics, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
