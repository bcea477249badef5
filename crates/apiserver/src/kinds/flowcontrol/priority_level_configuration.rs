//! `PriorityLevelConfiguration`.

use client_rs_machinery::{Json, Unstructured};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;

pub(super) const RULES: KindRules =
    KindRules { plural: "prioritylevelconfigurations", columns: Some(COLUMNS), ..super::SHARED };

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Type", "Limited or Exempt.", |object, _| {
        columns::or_empty(columns::at(object, &["spec", "type"]))
    }),
    columns::text("NominalConcurrencyShares", "Share of the server's concurrency.", |object, _| {
        limited(object, &["nominalConcurrencyShares"])
    }),
    columns::text("Queues", "Number of queues.", |object, _| {
        limited(object, &["limitResponse", "queuing", "queues"])
    }),
    columns::text("HandSize", "Queues that a flow may use.", |object, _| {
        limited(object, &["limitResponse", "queuing", "handSize"])
    }),
    columns::text("QueueLengthLimit", "Longest queue.", |object, _| {
        limited(object, &["limitResponse", "queuing", "queueLengthLimit"])
    }),
    columns::AGE,
];

/// A number of the limits.
fn limited(object: &Unstructured, path: &[&str]) -> Json {
    let number = columns::at(object, &["spec", "limited"]).path(path);
    number.filter(|number| !number.is_null()).cloned().unwrap_or_else(|| "<none>".into())
}
