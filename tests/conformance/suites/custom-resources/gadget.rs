//! A kind with every attribute.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use client_rs::custom::crds::{self, InstallOptions};
use client_rs::machinery::meta::v1::Condition;
use client_rs::machinery::{IntOrString, Quantity};
use client_rs::{Apply, CustomResource, Schema};
use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::wait::conditions;
use client_rs_client::{Api, RestClient};
use serde::{Deserialize, Serialize};

/// The range
/// of a gadget.
#[derive(CustomResource, Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "derive.conformance.example.com", version = "v1", kind = "Gadget", namespaced)]
#[resource(description = "A gadget, whose description is an attribute.")]
#[resource(status = GadgetStatus, short_name = "gdg", category = "gizmos", derive(PartialEq))]
#[resource(scale(
    spec_replicas_path = ".spec.replicas",
    status_replicas_path = ".status.replicas",
    label_selector_path = ".status.selector"
))]
#[resource(
    column(name = "Color", json_path = ".spec.color"),
    column(name = "Replicas", type = "integer", json_path = ".spec.replicas", priority = 1),
    selectable = ".spec.color"
)]
#[schema(rule(expression = "self.low <= self.high", message = "low is above high"))]
pub(super) struct GadgetSpec {
    /// The lower end.
    #[schema(minimum = 0)]
    pub(super) low: i32,
    /// The upper end.
    #[schema(maximum = 1000, default = 10)]
    pub(super) high: i32,
    #[serde(default = "two")]
    pub(super) replicas: i32,
    #[serde(default)]
    #[schema(default)]
    pub(super) color: Color,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 5, pattern = "^[a-z]*$")]
    pub(super) code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<Quantity>,
    #[serde(default)]
    pub(super) port: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) tags: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], max_items = 8)]
    pub(super) parts: Vec<Part>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) weights: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(preserve_unknown_fields)]
    pub(super) free: Option<client_rs::machinery::Json>,
}

/// One of a few.
#[derive(Schema, Apply, Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) enum Color {
    #[default]
    Red,
    Blue,
}

#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Part {
    pub(super) name: String,
    #[serde(default)]
    pub(super) size: i32,
}

#[derive(Schema, Apply, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "type")]
pub(super) enum Mode {
    Off,
    On { level: i32 },
}

#[derive(Schema, Apply, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GadgetStatus {
    #[serde(default)]
    pub(super) replicas: i32,
    #[serde(default)]
    pub(super) selector: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["type"])]
    pub(super) conditions: Vec<Condition>,
}

fn two() -> i32 {
    2
}

/// The version before.
pub(super) mod older {
    use super::{CustomResource, Deserialize, Schema, Serialize};

    /// A gadget as it was.
    #[derive(CustomResource, Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[resource(group = "derive.conformance.example.com", version = "v1beta1", kind = "Gadget", namespaced)]
    #[resource(description = "A gadget, whose description is an attribute.")]
    #[resource(deprecated = "v1beta1 is old", storage = false)]
    pub(in super::super) struct GadgetSpec {
        pub(in super::super) low: i32,
        #[serde(default)]
        pub(in super::super) high: i32,
    }
}

/// A gadget of this name.
pub(super) fn gadget(name: &str) -> Gadget {
    Gadget::new(name, GadgetSpec { low: 1, high: 9, replicas: 2, ..GadgetSpec::default() })
}

pub(super) async fn install(rest: &RestClient) -> Result<()> {
    let options = InstallOptions::default().with_accept_loss(true);
    crds::apply_with(rest, [Gadget::crd()], &options).await?;
    Ok(())
}

/// Removes a definition and all of its objects.
pub(super) async fn remove(rest: &RestClient, definition: &CustomResourceDefinition) -> Result<()> {
    let api = Api::<CustomResourceDefinition>::cluster(rest);
    api.delete(&definition.metadata.name).await?;
    api.wait_for(&definition.metadata.name, conditions::deleted(), std::time::Duration::from_mins(1)).await?;
    Ok(())
}
