// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `scheduling`.

use client_rs_api::scheduling::{v1, v1alpha3, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "scheduling" {
    v1: V1,
    v1alpha3: V1alpha3,
    v1beta1: V1beta1,
});

version!(V1 of "scheduling/v1" {
    priority_classes: v1::PriorityClass,
});

version!(V1alpha3 of "scheduling/v1alpha3" {
    composite_pod_groups: v1alpha3::CompositePodGroup,
    pod_groups: v1alpha3::PodGroup,
    workloads: v1alpha3::Workload,
});

version!(V1beta1 of "scheduling/v1beta1" {
    pod_groups: v1beta1::PodGroup,
    priority_classes: v1beta1::PriorityClass,
    workloads: v1beta1::Workload,
});
