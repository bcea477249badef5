//! Disruption budgets, leases and priority classes.

use client_rs_machinery::{FieldError, Json, Unstructured};

use super::common::{
    Errors, IMMUTABLE, at, count_or_percent, label_selector, not_negative, one_of, text, wrong,
};

/// The highest priority that is not a cluster's own.
const HIGHEST: i64 = 1_000_000_000;

pub(super) fn disruption_budget(spec: &Json, errors: &mut Errors) {
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

pub(super) fn lease(spec: &Json, errors: &mut Errors) {
    let duration = &spec["leaseDurationSeconds"];
    if duration.as_i64().is_some_and(|seconds| seconds <= 0) {
        wrong("spec.leaseDurationSeconds", duration, "must be greater than 0", errors);
    }
    not_negative(spec, "spec", &["leaseTransitions"], errors);
}

pub(super) fn priority_class(object: &Unstructured, errors: &mut Errors) {
    let name = object.name();
    if name.starts_with("system-") {
        if !["system-cluster-critical", "system-node-critical"].contains(&name) {
            let why = format!(
                "priority class names with 'system-' prefix are reserved for system use only. error: {name} is not a \
                 known system priority class"
            );
            errors.push(FieldError::forbidden("metadata.name", why));
        }
    } else if at(object, "value").as_i64().is_some_and(|value| value > HIGHEST) {
        let why = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        errors.push(FieldError::forbidden("value", why));
    }
    let policy = text(at(object, "preemptionPolicy"));
    if !["", "PreemptLowerPriority", "Never"].contains(&policy) {
        let supported = ["PreemptLowerPriority", "Never"];
        errors.push(FieldError::not_supported("preemptionPolicy", policy, &supported));
    }
}

pub(super) fn priority_class_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    if at(new, "value") != at(old, "value") {
        errors.push(FieldError::forbidden("value", "may not be changed in an update."));
    }
    let policy = at(new, "preemptionPolicy");
    if policy != at(old, "preemptionPolicy") {
        errors.push(FieldError::invalid("preemptionPolicy", text(policy), IMMUTABLE));
    }
}
