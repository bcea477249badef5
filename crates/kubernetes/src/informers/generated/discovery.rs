// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `discovery`.

use client_rs_api::discovery::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "discovery" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "discovery/v1" {
    endpoint_slices: v1::EndpointSlice,
});

version!(V1beta1 of "discovery/v1beta1" {
    endpoint_slices: v1beta1::EndpointSlice,
});
