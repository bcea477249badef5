// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `policy/v1`.

use client_rs_api::policy::v1::PodDisruptionBudget;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `policy/v1`.
#[derive(Clone, Debug)]
pub struct PolicyV1 {
    rest: RestClient,
}

impl PolicyV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `poddisruptionbudgets` of a namespace, or of all.
    #[inline]
    pub fn pod_disruption_budgets<W: Within>(&self, namespace: W) -> Api<PodDisruptionBudget, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
