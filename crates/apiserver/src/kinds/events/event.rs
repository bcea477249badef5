//! `Event` of `events.k8s.io`, which is stored as an event of the core group.

use client_rs_machinery::{FieldError, Json, Unstructured};

use crate::kinds::conversion::Conversion;
use crate::kinds::core;
use crate::kinds::rules::{DeleteRules, Dependents, Errors, KindRules, QuotaRules, SelectableField};
use crate::kinds::shared::checks::{IMMUTABLE, at, is_empty, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "events",
    create_on_update: true,
    delete: DeleteRules { dependents: Dependents::Ignore, ..DeleteRules::DEFAULT },
    expires: true,
    quota: QuotaRules::IGNORED,
    conversion: Some(&CONVERSION),
    fields: FIELDS,
    own_labels: true,
    columns: Some(core::event::COLUMNS),
    validate: |object, errors| core::event::validate(object, "reportingController", errors),
    validate_create,
    validate_update,
    ..super::SHARED
};

const FIELDS: &[SelectableField] = &[
    SelectableField::text("regarding.kind", &["involvedObject", "kind"]),
    SelectableField::text("regarding.namespace", &["involvedObject", "namespace"]),
    SelectableField::text("regarding.name", &["involvedObject", "name"]),
    SelectableField::text("regarding.uid", &["involvedObject", "uid"]),
    SelectableField::text("regarding.apiVersion", &["involvedObject", "apiVersion"]),
    SelectableField::text("regarding.resourceVersion", &["involvedObject", "resourceVersion"]),
    SelectableField::text("regarding.fieldPath", &["involvedObject", "fieldPath"]),
    SelectableField::text("reason", &["reason"]),
    SelectableField::text("reportingController", &["reportingComponent"]),
    SelectableField::text("type", &["type"]),
];

static CONVERSION: Conversion = Conversion {
    version: "v1",
    stored_group: "",
    to_stored: |mut object| {
        object.set_api_version("v1");
        for (stored, served) in core::event::RENAMED {
            rename(&mut object, served, stored);
        }
        object
    },
    to_served: |mut object| {
        object.set_api_version("events.k8s.io/v1");
        for (stored, served) in core::event::RENAMED {
            rename(&mut object, stored, served);
        }
        object
    },
};

fn rename(object: &mut Unstructured, from: &str, to: &str) {
    if let Some(value) = object.object.remove(from) {
        object.object.insert(to, value);
    }
}

/// Validates a new event, in its stored form.
fn validate_create(object: &Unstructured, errors: &mut Errors) {
    if is_empty(at(object, "eventTime")) {
        errors.push(FieldError::required("eventTime", ""));
    }
    let series = at(object, "series");
    if !series.is_null() && series["count"].as_i64().unwrap_or_default() < 2 {
        errors.push(FieldError::invalid("series.count", "", "should be at least 2"));
    }
    if !series.is_null() && is_empty(&series["lastObservedTime"]) {
        errors.push(FieldError::required("series.lastObservedTime", ""));
    }
    let kind = text(at(object, "type"));
    if !["Normal", "Warning"].contains(&kind) {
        errors.push(FieldError::invalid("type", "", format!("has invalid value: {kind}")));
    }
    for field in ["firstTimestamp", "lastTimestamp", "count", "source"] {
        if !is_unset(at(object, field)) {
            errors.push(FieldError::invalid(field, "", "needs to be unset"));
        }
    }
}

/// Whether a field is unset.
fn is_unset(value: &Json) -> bool {
    is_empty(value) || value.as_i64() == Some(0)
}

fn validate_update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
    for field in [
        "involvedObject",
        "reason",
        "message",
        "source",
        "firstTimestamp",
        "lastTimestamp",
        "count",
        "type",
        "eventTime",
        "action",
        "related",
        "reportingComponent",
        "reportingInstance",
    ] {
        let (mine, theirs) = (at(new, field), at(old, field));
        if mine != theirs && !(is_unset(mine) && is_unset(theirs)) {
            wrong(field, at(new, field), IMMUTABLE, errors);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_round_trip_changes_nothing() {
        let served: Unstructured = client_rs_machinery::json!({
            "apiVersion": "events.k8s.io/v1", "kind": "Event", "regarding": {"name": "a"}, "note": "n",
            "deprecatedCount": 3, "reportingController": "c", "reason": "r",
        })
        .try_into()
        .unwrap();
        let stored = CONVERSION.to_stored(served.clone());
        assert_eq!((stored.api_version(), stored.nested_str(&["message"])), ("v1", Ok(Some("n"))));
        assert_eq!(CONVERSION.to_served(stored), served);
    }
}
