// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `flowcontrol.apiserver.k8s.io/v1`.

use client_rs_api::flowcontrol::v1::{FlowSchema, PriorityLevelConfiguration};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct FlowcontrolV1 {
    rest: RestClient,
}

impl FlowcontrolV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `flowschemas`.
    #[inline]
    pub fn flow_schemas(&self) -> Api<FlowSchema> {
        Api::cluster(&self.rest)
    }

    /// `prioritylevelconfigurations`.
    #[inline]
    pub fn priority_level_configurations(&self) -> Api<PriorityLevelConfiguration> {
        Api::cluster(&self.rest)
    }
}
