// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `policy/v1beta1`.

use client_rs_api::policy::v1beta1::PodDisruptionBudget;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `policy/v1beta1`.
#[derive(Clone, Debug)]
pub struct PolicyV1beta1 {
    rest: RestClient,
}

impl PolicyV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `poddisruptionbudgets` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn pod_disruption_budgets<W: Within>(&self, namespace: W) -> Api<PodDisruptionBudget, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
