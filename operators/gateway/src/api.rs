//! The API: the kinds `Gateway` and `Route` of `example.com/v1`.

use client_rs::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// The desired state of a gateway.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "Gateway", namespaced, short_name = "gw")]
#[resource(description = "A proxy that reads its routes from the config map of the same name.")]
pub struct GatewaySpec {
    /// The port that the proxy listens on.
    #[schema(minimum = 1, maximum = 65535, default = 8080)]
    pub port: i32,
}

/// The desired state of a route.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "example.com", version = "v1", kind = "Route", namespaced, status = RouteStatus)]
#[resource(description = "Requests for a host and a path go to the endpoints of a service.")]
#[resource(column(name = "Host", json_path = ".spec.host"))]
#[resource(column(name = "Accepted", type = "boolean", json_path = ".status.accepted"))]
#[resource(column(name = "Backends", type = "integer", json_path = ".status.backends"))]
#[resource(column(name = "Reason", json_path = ".status.reason"))]
pub struct RouteSpec {
    /// The name of the gateway, in the same namespace.
    #[schema(min_length = 1, max_length = 253)]
    pub gateway: String,
    /// The host of the requests.
    #[schema(min_length = 1, max_length = 253)]
    pub host: String,
    /// The beginning of the path of the requests.
    #[schema(pattern = "^/", max_length = 500, default = "/")]
    pub path: String,
    /// The name of the service, in the same namespace.
    #[schema(min_length = 1, max_length = 63)]
    pub service: String,
    /// The port of the service.
    #[schema(minimum = 1, maximum = 65535)]
    pub port: i32,
}

/// The observed state of a route.
#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RouteStatus {
    /// Whether the gateway has the route.
    #[serde(default)]
    pub accepted: bool,
    /// `Accepted`, or why not: `NoGateway`, `NoService`, `NoPort`, `Taken`.
    #[serde(default)]
    pub reason: String,
    /// The number of ready endpoints behind it.
    #[serde(default)]
    pub backends: i64,
    /// The generation of the spec that this is about.
    #[serde(default)]
    pub observed_generation: i64,
}
