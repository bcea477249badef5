// Made by `cargo xtask codegen` from schema: change those, not this.
//! The resources of `node.k8s.io/v1`.

use client_rs_api::node::v1::RuntimeClass;
use client_rs_client::RestClient;
use client_rs_client::api::Api;

/// The resources of `node.k8s.io/v1`.
#[derive(Clone, Debug)]
pub struct NodeV1 {
    rest: RestClient,
}

impl NodeV1 {
    /// The resources as this client sees them.
    #[inline]
    pub fn new(rest: &RestClient) -> Self {
        Self { rest: rest.clone() }
    }

    /// `runtimeclasses`.
    #[inline]
    pub fn runtime_classes(&self) -> Api<RuntimeClass> {
        Api::cluster(&self.rest)
    }
}
