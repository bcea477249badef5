// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `scheduling.k8s.io/v1alpha3`.

use client_rs_api::scheduling::v1alpha3::{CompositePodGroup, PodGroup, Workload};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `scheduling.k8s.io/v1alpha3`.
#[derive(Clone, Debug)]
pub struct SchedulingV1alpha3 {
    rest: RestClient,
}

impl SchedulingV1alpha3 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `compositepodgroups` of a namespace, or of all.
    #[inline]
    pub fn composite_pod_groups<W: Within>(&self, namespace: W) -> Api<CompositePodGroup, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `podgroups` of a namespace, or of all.
    #[inline]
    pub fn pod_groups<W: Within>(&self, namespace: W) -> Api<PodGroup, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `workloads` of a namespace, or of all.
    #[inline]
    pub fn workloads<W: Within>(&self, namespace: W) -> Api<Workload, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
