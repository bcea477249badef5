// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `scheduling.k8s.io/v1beta1`.

use client_rs_api::scheduling::v1beta1::{PodGroup, PriorityClass, Workload};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `scheduling.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct SchedulingV1beta1 {
    rest: RestClient,
}

impl SchedulingV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `podgroups` of a namespace, or of all.
    #[inline]
    pub fn pod_groups<W: Within>(&self, namespace: W) -> Api<PodGroup, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `priorityclasses`. Not served by the pinned API server.
    #[inline]
    pub fn priority_classes(&self) -> Api<PriorityClass> {
        Api::cluster(&self.rest)
    }

    /// `workloads` of a namespace, or of all.
    #[inline]
    pub fn workloads<W: Within>(&self, namespace: W) -> Api<Workload, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
