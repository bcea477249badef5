// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `extensions`.

use client_rs_api::extensions::v1beta1;

use crate::informers::accessors::{group, version};

group!(Informers of "extensions" {
    v1beta1: V1beta1,
});

version!(V1beta1 of "extensions/v1beta1" {
    daemon_sets: v1beta1::DaemonSet,
    deployments: v1beta1::Deployment,
    ingresses: v1beta1::Ingress,
    network_policies: v1beta1::NetworkPolicy,
    replica_sets: v1beta1::ReplicaSet,
});
