// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `apiserverinternal`.

use client_rs_api::apiserverinternal::v1alpha1;

use crate::informers::accessors::{group, version};

group!(Informers of "apiserverinternal" {
    v1alpha1: V1alpha1,
});

version!(V1alpha1 of "apiserverinternal/v1alpha1" {
    storage_versions: v1alpha1::StorageVersion,
});
