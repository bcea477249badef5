// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `apiregistration.k8s.io/v1beta1`.

use client_rs_api::apiregistration::v1beta1::APIService;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `apiregistration.k8s.io/v1beta1`.
#[derive(Clone, Debug)]
pub struct ApiregistrationV1beta1 {
    rest: RestClient,
}

impl ApiregistrationV1beta1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `apiservices`. Not served by the pinned API server.
    #[inline]
    pub fn api_services(&self) -> Api<APIService> {
        Api::cluster(&self.rest)
    }
}
