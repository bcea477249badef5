// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `internal.apiserver.k8s.io/v1alpha1`.

use client_rs_api::apiserverinternal::v1alpha1::StorageVersion;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `internal.apiserver.k8s.io/v1alpha1`.
#[derive(Clone, Debug)]
pub struct InternalV1alpha1 {
    rest: RestClient,
}

impl InternalV1alpha1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `storageversions`.
    #[inline]
    pub fn storage_versions(&self) -> Api<StorageVersion> {
        Api::cluster(&self.rest)
    }
}
