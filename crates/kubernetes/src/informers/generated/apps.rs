// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `apps`.

use client_rs_api::apps::{v1, v1beta1, v1beta2};

use crate::informers::accessors::{group, version};

group!(Informers of "apps" {
    v1: V1,
    v1beta1: V1beta1,
    v1beta2: V1beta2,
});

version!(V1 of "apps/v1" {
    controller_revisions: v1::ControllerRevision,
    daemon_sets: v1::DaemonSet,
    deployments: v1::Deployment,
    replica_sets: v1::ReplicaSet,
    stateful_sets: v1::StatefulSet,
});

version!(V1beta1 of "apps/v1beta1" {
    controller_revisions: v1beta1::ControllerRevision,
    deployments: v1beta1::Deployment,
    stateful_sets: v1beta1::StatefulSet,
});

version!(V1beta2 of "apps/v1beta2" {
    controller_revisions: v1beta2::ControllerRevision,
    daemon_sets: v1beta2::DaemonSet,
    deployments: v1beta2::Deployment,
    replica_sets: v1beta2::ReplicaSet,
    stateful_sets: v1beta2::StatefulSet,
});
