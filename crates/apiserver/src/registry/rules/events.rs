//! Events, of both groups: one object in two forms.

use client_rs_machinery::{FieldError, Json, Unstructured, validation};

use super::common::{Errors, IMMUTABLE, at, invalid, is_empty, text, wrong};

/// The longest that a new event's sentence may be.
const NOTE_MAX: usize = 1024;
const NAME_MAX: usize = 128;

/// Rules of both groups: those of old for events without a time of their own.
pub(super) fn any(object: &Unstructured, controller: &str, errors: &mut Errors) {
    namespaces(object, errors);
    if is_empty(at(object, "eventTime")) {
        return;
    }
    reporter(object, controller, errors);
    if text(at(object, "message")).len() > NOTE_MAX {
        errors.push(FieldError::invalid("message", "", format!("can have at most {NOTE_MAX} characters")));
    }
}

/// Rules of events.k8s.io for a new event. The object is as it is stored.
pub(super) fn create(object: &Unstructured, errors: &mut Errors) {
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

/// Whether a field says nothing.
fn is_unset(value: &Json) -> bool {
    is_empty(value) || value.as_i64() == Some(0)
}

/// Who tells, why, and of what.
fn reporter(object: &Unstructured, controller: &str, errors: &mut Errors) {
    let name = text(at(object, "reportingComponent"));
    if name.is_empty() {
        errors.push(FieldError::required(controller, ""));
    }
    invalid(controller, name, validation::qualified_name(name), errors);
    for field in ["reportingInstance", "action", "reason"] {
        let value = text(at(object, field));
        if value.is_empty() {
            errors.push(FieldError::required(field, ""));
        } else if value.len() > NAME_MAX {
            errors.push(FieldError::invalid(field, "", format!("can have at most {NAME_MAX} characters")));
        }
    }
}

/// An event is where its object is; one about an object of the cluster is in `default`.
fn namespaces(object: &Unstructured, errors: &mut Errors) {
    let about = text(&at(object, "involvedObject")["namespace"]);
    let own = object.namespace();
    let fits = if about.is_empty() { ["", "default", "kube-system"].contains(&own) } else { own == about };
    if !fits {
        errors.push(FieldError::invalid("involvedObject.namespace", about, "does not match event.namespace"));
    }
}

pub(super) fn update(new: &Unstructured, old: &Unstructured, errors: &mut Errors) {
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
