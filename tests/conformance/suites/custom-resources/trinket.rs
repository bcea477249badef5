//! A kind with the attributes that a gadget has not.

use std::collections::BTreeMap;
use std::net::IpAddr;

use client_rs::machinery::{Json, Time, json};
use client_rs::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// The description of the spec: that of the kind is an attribute.
#[derive(CustomResource, Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "derive.conformance.example.com", version = "v1alpha1", kind = "Trinket")]
#[resource(plural = "trinketry", singular = "trinket", root = Bauble, description = "Small, and of no use.")]
#[resource(deprecated, label("team" = "a"), annotation("docs" = "https://example.com"))]
#[resource(
    column(
        name = "Weight",
        type = "number",
        format = "double",
        json_path = ".spec.weight",
        description = "In grams"
    ),
    column(name = "Shiny", type = "boolean", json_path = ".spec.shiny"),
    column(name = "Since", type = "date", json_path = ".spec.since")
)]
#[resource(rule(
    expression = "self.metadata.name.startsWith('t')",
    message = "a trinket's name begins with t"
))]
#[schema(rule(
    expression = "self.letter == oldSelf.letter",
    message = "a letter stays as it is",
    reason = "FieldValueForbidden",
    field_path = ".letter"
))]
pub(super) struct TrinketSpec {
    #[schema(title = "Its weight", exclusive_minimum = 0, exclusive_maximum = 100, multiple_of = 0.5)]
    pub(super) weight: f64,
    #[schema(default = true)]
    pub(super) shiny: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<Time>,
    #[schema(one_of = ["a", "b"], default = "a")]
    pub(super) letter: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 3, format = "hostname")]
    pub(super) host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 9, items(max_length = 3))]
    #[schema(rule(
        expression = "self.size() < 5",
        message_expression = "self.size() > 6 ? 'far too many' : 'too many'"
    ))]
    pub(super) parts: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_properties = 1, max_properties = 2, values(minimum = 0))]
    pub(super) counts: Option<BTreeMap<String, i32>>,
    #[schema(nullable, optional)]
    pub(super) note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(embedded_resource)]
    pub(super) template: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(int_or_string)]
    pub(super) port: Option<Json>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(map_type = "atomic")]
    pub(super) marks: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(as = String)]
    pub(super) address: Option<IpAddr>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(with = even)]
    pub(super) even: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(rule(
        expression = "!oldSelf.hasValue() || oldSelf.value() <= self",
        message = "it only grows",
        optional_old_self
    ))]
    pub(super) grows: Option<i32>,
}

fn even() -> Json {
    json!({"type": "integer", "multipleOf": 2})
}
