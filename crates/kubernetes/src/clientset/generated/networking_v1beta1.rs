// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `networking.k8s.io/v1beta1`.

use client_rs_api::networking::v1beta1::{IPAddress, Ingress, IngressClass, ServiceCIDR};
use client_rs_client::RestClient;
use client_rs_client::api::{Api, Within};

/// The resources of `networking.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct NetworkingV1beta1 {
    rest: RestClient,
}

impl NetworkingV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `ingressclasses`. Not served by the pinned API server.
    #[inline]
    pub fn ingress_classes(&self) -> Api<IngressClass> {
        Api::cluster(&self.rest)
    }

    /// `ingresses` of a namespace, or of all. Not served by the pinned API server.
    #[inline]
    pub fn ingresses<W: Within>(&self, namespace: W) -> Api<Ingress, W::Reach> {
        Api::within(&self.rest, namespace)
    }

    /// `ipaddresses`. Not served by the pinned API server.
    #[inline]
    pub fn ip_addresses(&self) -> Api<IPAddress> {
        Api::cluster(&self.rest)
    }

    /// `servicecidrs`. Not served by the pinned API server.
    #[inline]
    pub fn service_cidrs(&self) -> Api<ServiceCIDR> {
        Api::cluster(&self.rest)
    }
}
