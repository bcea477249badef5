//! `PodDisruptionBudget`.

use client_rs_machinery::{FieldError, Json, Unstructured};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, Generation, KindRules, StatusRules};
use crate::kinds::shared::checks::{at, count_or_percent, label_selector, not_negative, one_of};
use crate::kinds::shared::conditions;

pub(super) const RULES: KindRules = KindRules {
    plural: "poddisruptionbudgets",
    columns: Some(COLUMNS),
    generation: Generation::SPEC,
    unconditional_update: false,
    status: StatusRules {
        validate: |new, _, errors| validate_status(at(new, "status"), errors),
        ..StatusRules::DEFAULT
    },
    validate,
    ..super::SHARED
};

fn validate_status(status: &Json, errors: &mut Errors) {
    conditions::check(status, errors);
    let counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
    not_negative(status, "status", &counts, errors);
}

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Min Available", "Least number or share of pods that stay available.", |object, _| {
        or_not_available(columns::at(object, &["spec", "minAvailable"]))
    }),
    columns::text(
        "Max Unavailable",
        "Largest number or share of pods that may be unavailable.",
        |object, _| or_not_available(columns::at(object, &["spec", "maxUnavailable"])),
    ),
    columns::integer("Allowed Disruptions", "Number of pods that may be evicted now.", |object, _| {
        columns::number(columns::at(object, &["status", "disruptionsAllowed"])).into()
    }),
    columns::AGE,
];

/// A number or a share as text.
fn or_not_available(value: &Json) -> Json {
    match value {
        Json::Null => "N/A".into(),
        Json::Str(text) => text.as_str().into(),
        other => other.to_string().into(),
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let (min, max) = (&spec["minAvailable"], &spec["maxUnavailable"]);
    if !min.is_null() && !max.is_null() {
        let policy = &spec["unhealthyPodEvictionPolicy"];
        let shown = format!(
            "{{\"MinAvailable\":{min},\"Selector\":{},\"MaxUnavailable\":{max},\"UnhealthyPodEvictionPolicy\":{policy}}}",
            spec["selector"]
        );
        let why = "minAvailable and maxUnavailable cannot be both set";
        errors.push(FieldError::invalid_json("spec", shown, why));
    }
    count_or_percent(min, "spec.minAvailable", true, errors);
    count_or_percent(max, "spec.maxUnavailable", true, errors);
    label_selector(&spec["selector"], "spec.selector", errors);
    one_of(spec, "spec", "unhealthyPodEvictionPolicy", &["AlwaysAllow", "IfHealthyBudget"], errors);
}
