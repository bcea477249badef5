// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `apiregistration`.

use client_rs_api::apiregistration::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "apiregistration" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "apiregistration/v1" {
    api_services: v1::APIService,
});

version!(V1beta1 of "apiregistration/v1beta1" {
    api_services: v1beta1::APIService,
});
