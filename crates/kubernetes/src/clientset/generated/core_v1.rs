// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `v1`.

use client_rs_api::core::v1::{
    Binding, ComponentStatus, ConfigMap, Endpoints, Event, LimitRange, Namespace, Node, PersistentVolume,
    PersistentVolumeClaim, Pod, PodTemplate, ReplicationController, ResourceQuota, Secret, Service,
    ServiceAccount,
};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `v1`.
#[derive(Clone, Debug)]
pub struct CoreV1 {
    rest: RestClient,
}

impl CoreV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `bindings` of a namespace, or of all.
    #[inline]
    pub fn bindings<W: Within>(&self, namespace: W) -> Api<Binding, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `componentstatuses`.
    #[inline]
    pub fn component_statuses(&self) -> Api<ComponentStatus> {
        Api::cluster(&self.rest)
    }

    /// `configmaps` of a namespace, or of all.
    #[inline]
    pub fn config_maps<W: Within>(&self, namespace: W) -> Api<ConfigMap, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `endpoints` of a namespace, or of all.
    #[inline]
    pub fn endpoints<W: Within>(&self, namespace: W) -> Api<Endpoints, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `events` of a namespace, or of all.
    #[inline]
    pub fn events<W: Within>(&self, namespace: W) -> Api<Event, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `limitranges` of a namespace, or of all.
    #[inline]
    pub fn limit_ranges<W: Within>(&self, namespace: W) -> Api<LimitRange, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `namespaces`.
    #[inline]
    pub fn namespaces(&self) -> Api<Namespace> {
        Api::cluster(&self.rest)
    }

    /// `nodes`.
    #[inline]
    pub fn nodes(&self) -> Api<Node> {
        Api::cluster(&self.rest)
    }

    /// `persistentvolumeclaims` of a namespace, or of all.
    #[inline]
    pub fn persistent_volume_claims<W: Within>(&self, namespace: W) -> Api<PersistentVolumeClaim, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `persistentvolumes`.
    #[inline]
    pub fn persistent_volumes(&self) -> Api<PersistentVolume> {
        Api::cluster(&self.rest)
    }

    /// `podtemplates` of a namespace, or of all.
    #[inline]
    pub fn pod_templates<W: Within>(&self, namespace: W) -> Api<PodTemplate, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `pods` of a namespace, or of all.
    #[inline]
    pub fn pods<W: Within>(&self, namespace: W) -> Api<Pod, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `replicationcontrollers` of a namespace, or of all.
    #[inline]
    pub fn replication_controllers<W: Within>(&self, namespace: W) -> Api<ReplicationController, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `resourcequotas` of a namespace, or of all.
    #[inline]
    pub fn resource_quotas<W: Within>(&self, namespace: W) -> Api<ResourceQuota, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `secrets` of a namespace, or of all.
    #[inline]
    pub fn secrets<W: Within>(&self, namespace: W) -> Api<Secret, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `serviceaccounts` of a namespace, or of all.
    #[inline]
    pub fn service_accounts<W: Within>(&self, namespace: W) -> Api<ServiceAccount, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `services` of a namespace, or of all.
    #[inline]
    pub fn services<W: Within>(&self, namespace: W) -> Api<Service, W::Reach> {
        Api::within(&self.rest, namespace)
    }
}
