//! `FlowSchema`.

use client_rs_machinery::{Json, Map, json};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;
use crate::kinds::shared::defaulting::within;

pub(super) const RULES: KindRules =
    KindRules { plural: "flowschemas", columns: Some(COLUMNS), defaults, ..super::SHARED };

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("PriorityLevel", "Priority level of the requests.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "priorityLevelConfiguration", "name"]))
    }),
    columns::text("MatchingPrecedence", "Order in which schemas are tried.", |object, _| {
        columns::number(columns::at(object, &["spec", "matchingPrecedence"])).into()
    }),
    columns::text("DistinguisherMethod", "How requests are divided into flows.", |object, _| {
        columns::or_none(columns::at(object, &["spec", "distinguisherMethod", "type"]))
    }),
    columns::AGE,
    columns::text("MissingPL", "Whether the priority level is missing.", |object, _| {
        let conditions = columns::list(columns::at(object, &["status", "conditions"]));
        let mut dangling = conditions.filter(|one| one["type"].as_str() == Some("Dangling"));
        dangling.next().map_or_else(|| "?".into(), |one| one["status"].as_str().unwrap_or("?").into())
    }),
];

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    // The type encodes a missing number as 0.
    if spec.get("matchingPrecedence").is_none_or(|value| *value == json!(0)) {
        spec.insert("matchingPrecedence", 1000.into());
    }
}
