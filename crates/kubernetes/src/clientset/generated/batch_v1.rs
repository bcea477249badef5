// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `batch/v1`.

use client_rs_api::batch::v1::{CronJob, Job};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `batch/v1`.
#[derive(Clone, Debug)]
pub struct BatchV1 {
    rest: RestClient,
}

impl BatchV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `cronjobs` of a namespace, or of all.
    #[inline]
    pub fn cron_jobs<W: Within>(&self, namespace: W) -> Api<CronJob, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `jobs` of a namespace, or of all.
    #[inline]
    pub fn jobs<W: Within>(&self, namespace: W) -> Api<Job, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
