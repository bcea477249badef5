//! `PodDisruptionBudget`.

use client_rs_machinery::{FieldError, Unstructured};

use crate::kinds::rules::{Errors, Generation, KindRules};
use crate::kinds::shared::checks::{at, count_or_percent, label_selector, one_of};

pub(super) const RULES: KindRules = KindRules {
    plural: "poddisruptionbudgets",
    generation: Generation::SPEC,
    unconditional_update: false,
    validate,
    ..super::SHARED
};

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
