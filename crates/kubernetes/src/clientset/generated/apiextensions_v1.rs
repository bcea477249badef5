// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `apiextensions.k8s.io/v1`.

use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `apiextensions.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct ApiextensionsV1 {
    rest: RestClient,
}

impl ApiextensionsV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `customresourcedefinitions`.
    #[inline]
    pub fn custom_resource_definitions(&self) -> Api<CustomResourceDefinition> {
        Api::cluster(&self.rest)
    }
}
