// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `lifecycle`.

use client_rs_api::lifecycle::v1alpha1;

use crate::informers::accessors::{group, version};

group!(Informers of "lifecycle" {
    v1alpha1: V1alpha1,
});

version!(V1alpha1 of "lifecycle/v1alpha1" {
    eviction_requests: v1alpha1::EvictionRequest,
    evictions: v1alpha1::Eviction,
});
