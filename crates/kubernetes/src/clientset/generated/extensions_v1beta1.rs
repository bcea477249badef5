// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `extensions/v1beta1`.

use client_rs_api::extensions::v1beta1::{DaemonSet, Deployment, Ingress, NetworkPolicy, ReplicaSet};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `extensions/v1beta1`.
#[derive(Clone, Debug)]
pub struct ExtensionsV1beta1 {
    rest: RestClient,
}

impl ExtensionsV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `daemonsets` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn daemon_sets<W: Within>(&self, namespace: W) -> Api<DaemonSet, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `deployments` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn deployments<W: Within>(&self, namespace: W) -> Api<Deployment, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `ingresses` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn ingresses<W: Within>(&self, namespace: W) -> Api<Ingress, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `networkpolicies` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn network_policies<W: Within>(&self, namespace: W) -> Api<NetworkPolicy, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `replicasets` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn replica_sets<W: Within>(&self, namespace: W) -> Api<ReplicaSet, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
