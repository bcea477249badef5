// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `scheduling.k8s.io/v1`.

use client_rs_api::scheduling::v1::PriorityClass;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `scheduling.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct SchedulingV1 {
    rest: RestClient,
}

impl SchedulingV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `priorityclasses`.
    #[inline]
    pub fn priority_classes(&self) -> Api<PriorityClass> {
        Api::cluster(&self.rest)
    }
}
