// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `core`.

use client_rs_api::core::v1;

use crate::informers::accessors::{group, version};

group!(Informers of "core" {
    v1: V1,
});

version!(V1 of "core/v1" {
    config_maps: v1::ConfigMap,
    endpoints: v1::Endpoints,
    events: v1::Event,
    limit_ranges: v1::LimitRange,
    namespaces: v1::Namespace,
    nodes: v1::Node,
    persistent_volume_claims: v1::PersistentVolumeClaim,
    persistent_volumes: v1::PersistentVolume,
    pod_templates: v1::PodTemplate,
    pods: v1::Pod,
    replication_controllers: v1::ReplicationController,
    resource_quotas: v1::ResourceQuota,
    secrets: v1::Secret,
    service_accounts: v1::ServiceAccount,
    services: v1::Service,
});
