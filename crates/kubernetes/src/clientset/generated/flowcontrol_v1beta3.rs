// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `flowcontrol.apiserver.k8s.io/v1beta3`.

use client_rs_api::flowcontrol::v1beta3::{FlowSchema, PriorityLevelConfiguration};
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `flowcontrol.apiserver.k8s.io/v1beta3`.
#[derive(Clone, Debug)]
pub struct FlowcontrolV1beta3 {
    rest: RestClient,
}

impl FlowcontrolV1beta3 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `flowschemas`. Not served by the pinned API server.
    #[inline]
    pub fn flow_schemas(&self) -> Api<FlowSchema> {
        Api::cluster(&self.rest)
    }

    /// `prioritylevelconfigurations`. Not served by the pinned API server.
    #[inline]
    pub fn priority_level_configurations(&self) -> Api<PriorityLevelConfiguration> {
        Api::cluster(&self.rest)
    }
}
