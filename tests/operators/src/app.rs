//! The custom resource of all operators.

use client_rs_custom::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// An application: config maps stand for everything that an operator makes for it.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "App", namespaced, status = AppStatus)]
#[resource(crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
pub struct AppSpec {
    /// A value that its children have.
    pub value: String,
    /// The name of its child, if the operator uses it.
    pub target: String,
}

/// The observed state.
#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
#[serde(rename_all = "camelCase")]
pub struct AppStatus {
    /// The generation that the operator has worked on.
    #[serde(default)]
    pub observed_generation: i64,
    /// The value that the children have.
    #[serde(default)]
    pub value: String,
    /// `Ready` or `Failed`.
    #[serde(default)]
    pub phase: String,
}
