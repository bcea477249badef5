// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `networking`.

use client_rs_api::networking::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "networking" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "networking/v1" {
    ingress_classes: v1::IngressClass,
    ingresses: v1::Ingress,
    ip_addresses: v1::IPAddress,
    network_policies: v1::NetworkPolicy,
    service_cidrs: v1::ServiceCIDR,
});

version!(V1beta1 of "networking/v1beta1" {
    ingress_classes: v1beta1::IngressClass,
    ingresses: v1beta1::Ingress,
    ip_addresses: v1beta1::IPAddress,
    service_cidrs: v1beta1::ServiceCIDR,
});
