// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `storagemigration.k8s.io/v1`.

use client_rs_api::storagemigration::v1::StorageVersionMigration;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `storagemigration.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct StoragemigrationV1 {
    rest: RestClient,
}

impl StoragemigrationV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `storageversionmigrations`.
    #[inline]
    pub fn storage_version_migrations(&self) -> Api<StorageVersionMigration> {
        Api::cluster(&self.rest)
    }
}
