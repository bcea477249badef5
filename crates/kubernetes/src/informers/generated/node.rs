// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `node`.

use client_rs_api::node::{v1, v1alpha1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "node" {
    v1: V1,
    v1alpha1: V1alpha1,
    v1beta1: V1beta1,
});

version!(V1 of "node/v1" {
    runtime_classes: v1::RuntimeClass,
});

version!(V1alpha1 of "node/v1alpha1" {
    runtime_classes: v1alpha1::RuntimeClass,
});

version!(V1beta1 of "node/v1beta1" {
    runtime_classes: v1beta1::RuntimeClass,
});
