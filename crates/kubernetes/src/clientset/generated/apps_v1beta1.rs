// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `apps/v1beta1`.

use client_rs_api::apps::v1beta1::{ControllerRevision, Deployment, StatefulSet};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `apps/v1beta1`.
#[derive(Clone, Debug)]
pub struct AppsV1beta1 {
    rest: RestClient,
}

impl AppsV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `controllerrevisions` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn controller_revisions<W: Within>(&self, namespace: W) -> Api<ControllerRevision, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `deployments` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn deployments<W: Within>(&self, namespace: W) -> Api<Deployment, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `statefulsets` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn stateful_sets<W: Within>(&self, namespace: W) -> Api<StatefulSet, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
