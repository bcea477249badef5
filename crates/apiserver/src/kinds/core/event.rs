//! `Event` of the core group, which is also the stored form of events of `events.k8s.io`.

use client_rs_machinery::time::age;
use client_rs_machinery::{FieldError, Json, Time, Unstructured, validation};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{
    DeleteRules, Dependents, Errors, KindRules, NameRule, QuotaRules, SelectableField,
};
use crate::kinds::shared::checks::{at, invalid, is_empty, text};

pub(super) const RULES: KindRules = KindRules {
    plural: "events",
    name: NameRule::PathSegment,
    create_on_update: true,
    delete: DeleteRules { dependents: Dependents::Ignore, ..DeleteRules::DEFAULT },
    expires: true,
    quota: QuotaRules::IGNORED,
    fields: FIELDS,
    own_labels: true,
    columns: Some(COLUMNS),
    validate: |object, errors| validate(object, "reportingComponent", errors),
    ..super::SHARED
};

const FIELDS: &[SelectableField] = &[
    SelectableField::text("involvedObject.kind", &["involvedObject", "kind"]),
    SelectableField::text("involvedObject.namespace", &["involvedObject", "namespace"]),
    SelectableField::text("involvedObject.name", &["involvedObject", "name"]),
    SelectableField::text("involvedObject.uid", &["involvedObject", "uid"]),
    SelectableField::text("involvedObject.apiVersion", &["involvedObject", "apiVersion"]),
    SelectableField::text("involvedObject.resourceVersion", &["involvedObject", "resourceVersion"]),
    SelectableField::text("involvedObject.fieldPath", &["involvedObject", "fieldPath"]),
    SelectableField::text("reason", &["reason"]),
    SelectableField::text("reportingComponent", &["reportingComponent"]),
    SelectableField::text_or("source", &["source", "component"], &["reportingComponent"]),
    SelectableField::text("type", &["type"]),
];

pub(in crate::kinds) const COLUMNS: &[Column] = &[
    columns::text("Last Seen", "Time since the last occurrence.", |event, now| {
        since_any(event, LAST_SEEN, now)
    }),
    columns::text("Type", "Normal or Warning.", |event, _| at_either(event, &["type"]).clone()),
    columns::text("Reason", "Reason in one word.", |event, _| at_either(event, &["reason"]).clone()),
    columns::text("Object", "Object of the event.", |event, _| {
        let kind = at_either(event, &["involvedObject", "kind"]).as_str().unwrap_or_default().to_lowercase();
        match at_either(event, &["involvedObject", "name"]).as_str() {
            None | Some("") => kind.into(),
            Some(name) => format!("{kind}/{name}").into(),
        }
    }),
    columns::wide(columns::text("Subobject", "Part of the object.", |event, _| {
        at_either(event, &["involvedObject", "fieldPath"]).as_str().unwrap_or_default().into()
    })),
    columns::wide(columns::text("Source", "Component and host that reported the event.", |event, _| {
        let component =
            at_either(event, &["source", "component"])
                .as_str()
                .or(at_either(event, &["reportingComponent"]).as_str());
        let host =
            at_either(event, &["source", "host"])
                .as_str()
                .or(at_either(event, &["reportingInstance"]).as_str());
        let parts = [component, host].into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ").into()
    })),
    columns::text("Message", "Description of the event.", |event, _| {
        at_either(event, &["message"]).as_str().unwrap_or_default().trim().to_owned().into()
    }),
    columns::wide(columns::text("First Seen", "Time since the first occurrence.", |event, now| {
        since_any(event, FIRST_SEEN, now)
    })),
    columns::wide(columns::text("Count", "Number of occurrences.", |event, _| {
        let count = at_either(event, &["series", "count"]).as_i64().or(at_either(event, &["count"]).as_i64());
        count.filter(|count| *count != 0).unwrap_or(1).into()
    })),
    columns::wide(columns::NAME),
];

const FIRST_SEEN: &[&[&str]] = &[&["firstTimestamp"], &["eventTime"]];

const LAST_SEEN: &[&[&str]] =
    &[&["series", "lastObservedTime"], &["lastTimestamp"], &["firstTimestamp"], &["eventTime"]];

/// A field of an event in its stored form, or in the form of `events.k8s.io`, in which some fields have other names.
fn at_either<'o>(event: &'o Unstructured, path: &[&str]) -> &'o Json {
    let found = columns::at(event, path);
    let Some((first, rest)) = path.split_first().filter(|_| found.is_null()) else { return found };
    match RENAMED.iter().find(|(stored, _)| stored == first) {
        Some((_, served)) => columns::at(event, &[&[*served], rest].concat()),
        None => found,
    }
}

/// The stored names of fields, and their names in `events.k8s.io`.
pub(in crate::kinds) const RENAMED: &[(&str, &str)] = &[
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];

/// The age of the first of these times that the object has.
fn since_any(object: &Unstructured, paths: &[&[&str]], now: Time) -> Json {
    let found = paths.iter().find_map(|path| at_either(object, path).as_str()?.parse::<Time>().ok());
    found.map_or_else(|| "<unknown>".into(), |found| age(found, now).into())
}

/// The longest message of a new event.
const NOTE_MAX: usize = 1024;

const NAME_MAX: usize = 128;

/// Validates events of both groups. Events without `eventTime` follow the older, weaker rules.
pub(in crate::kinds) fn validate(object: &Unstructured, controller: &str, errors: &mut Errors) {
    namespaces(object, errors);
    if is_empty(at(object, "eventTime")) {
        return;
    }
    reporter(object, controller, errors);
    if text(at(object, "message")).len() > NOTE_MAX {
        errors.push(FieldError::invalid("message", "", format!("can have at most {NOTE_MAX} characters")));
    }
}

/// Validates the reporter, the reason and the regarding object.
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

/// An event is in the namespace of its object. An event about a cluster-scoped object is in `default`.
fn namespaces(object: &Unstructured, errors: &mut Errors) {
    let about = text(&at(object, "involvedObject")["namespace"]);
    let own = object.namespace();
    let fits = if about.is_empty() { ["", "default", "kube-system"].contains(&own) } else { own == about };
    if !fits {
        errors.push(FieldError::invalid("involvedObject.namespace", about, "does not match event.namespace"));
    }
}
