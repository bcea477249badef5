// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `apiextensions`.

use client_rs_api::apiextensions::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "apiextensions" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "apiextensions/v1" {
    custom_resource_definitions: v1::CustomResourceDefinition,
});

version!(V1beta1 of "apiextensions/v1beta1" {
    custom_resource_definitions: v1beta1::CustomResourceDefinition,
});
