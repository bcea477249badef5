// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `networking.k8s.io/v1`.

use client_rs_api::networking::v1::{IPAddress, Ingress, IngressClass, NetworkPolicy, ServiceCIDR};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `networking.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct NetworkingV1 {
    rest: RestClient,
}

impl NetworkingV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `ingressclasses`.
    #[inline]
    pub fn ingress_classes(&self) -> Api<IngressClass> {
        Api::cluster(&self.rest)
    }

    /// `ingresses` of a namespace, or of all.
    #[inline]
    pub fn ingresses<W: Within>(&self, namespace: W) -> Api<Ingress, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `ipaddresses`.
    #[inline]
    pub fn ip_addresses(&self) -> Api<IPAddress> {
        Api::cluster(&self.rest)
    }

    /// `networkpolicies` of a namespace, or of all.
    #[inline]
    pub fn network_policies<W: Within>(&self, namespace: W) -> Api<NetworkPolicy, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `servicecidrs`.
    #[inline]
    pub fn service_cidrs(&self) -> Api<ServiceCIDR> {
        Api::cluster(&self.rest)
    }
}
