// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `apiregistration.k8s.io/v1`.

use client_rs_api::apiregistration::v1::APIService;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `apiregistration.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct ApiregistrationV1 {
    rest: RestClient,
}

impl ApiregistrationV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `apiservices`.
    #[inline]
    pub fn api_services(&self) -> Api<APIService> {
        Api::cluster(&self.rest)
    }
}
