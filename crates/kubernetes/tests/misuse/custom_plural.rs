// Two kinds with one plural: a server serves one of them.
use client_rs_custom::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Widget", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct WidgetSpec {}

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "example.com", version = "v1", kind = "Gadget", plural = "widgets", crate = client_rs_custom)]
#[schema(crate = client_rs_custom)]
struct GadgetSpec {}

fn main() {}
