// Made by `cargo xtask codegen` from schema: change those, not this.
//! The informers of the group `storagemigration`.

use client_rs_api::storagemigration::{v1, v1beta1};

use crate::informers::accessors::{group, version};

group!(Informers of "storagemigration" {
    v1: V1,
    v1beta1: V1beta1,
});

version!(V1 of "storagemigration/v1" {
    storage_version_migrations: v1::StorageVersionMigration,
});

version!(V1beta1 of "storagemigration/v1beta1" {
    storage_version_migrations: v1beta1::StorageVersionMigration,
});
