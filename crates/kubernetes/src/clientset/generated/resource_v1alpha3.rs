// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `resource.k8s.io/v1alpha3`.

use client_rs_api::resource::v1alpha3::{DeviceTaintRule, ResourcePoolStatusRequest};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `resource.k8s.io/v1alpha3`.
#[derive(Clone, Debug)]
pub struct ResourceV1alpha3 {
    rest: RestClient,
}

impl ResourceV1alpha3 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `devicetaintrules`.
    #[inline]
    pub fn device_taint_rules(&self) -> Api<DeviceTaintRule> {
        Api::cluster(&self.rest)
    }

    /// `resourcepoolstatusrequests`.
    #[inline]
    pub fn resource_pool_status_requests(&self) -> Api<ResourcePoolStatusRequest> {
        Api::cluster(&self.rest)
    }
}
