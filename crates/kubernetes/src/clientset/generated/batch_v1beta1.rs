// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `batch/v1beta1`.

use client_rs_api::batch::v1beta1::CronJob;
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `batch/v1beta1`.
#[derive(Clone, Debug)]
pub struct BatchV1beta1 {
    rest: RestClient,
}

impl BatchV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `cronjobs` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn cron_jobs<W: Within>(&self, namespace: W) -> Api<CronJob, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
