// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `autoscaling`.

use client_rs_api::autoscaling::{v1, v2};

use crate::informers::accessors::{group, version};

group!(Informers of "autoscaling" {
    v1: V1,
    v2: V2,
});

version!(V1 of "autoscaling/v1" {
    horizontal_pod_autoscalers: v1::HorizontalPodAutoscaler,
});

version!(V2 of "autoscaling/v2" {
    horizontal_pod_autoscalers: v2::HorizontalPodAutoscaler,
});
