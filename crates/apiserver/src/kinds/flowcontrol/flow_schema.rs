//! `FlowSchema`.

use client_rs_machinery::{Json, Map, json};

use crate::kinds::rules::KindRules;
use crate::kinds::shared::defaulting::within;

pub(super) const RULES: KindRules = KindRules { plural: "flowschemas", defaults, ..super::SHARED };

fn defaults(object: &mut Map<Json>) {
    let spec = within(object, "spec");
    // The type encodes a missing number as 0.
    if spec.get("matchingPrecedence").is_none_or(|value| *value == json!(0)) {
        spec.insert("matchingPrecedence", 1000.into());
    }
}
