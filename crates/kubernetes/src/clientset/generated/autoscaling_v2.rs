// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `autoscaling/v2`.

use client_rs_api::autoscaling::v2::HorizontalPodAutoscaler;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `autoscaling/v2`.
#[derive(Clone, Debug)]
pub struct AutoscalingV2 {
    rest: RestClient,
}

impl AutoscalingV2 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `horizontalpodautoscalers` of a namespace, or of all.
    #[inline]
    pub fn horizontal_pod_autoscalers<W: Within>(
        &self,
        namespace: W,
    ) -> Api<HorizontalPodAutoscaler, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
