//! `APIService`.

use client_rs_machinery::{FieldError, Json, Unstructured};

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Errors, FollowUp, KindRules};
use crate::kinds::shared::checks::{at, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "apiservices",
    columns: Some(COLUMNS),
    follow_up: Some(FollowUp::CheckAvailability),
    validate,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Service", "Service that serves the version.", |object, _| {
        let service = columns::at(object, &["spec", "service"]);
        if service.is_null() {
            return "Local".into();
        }
        format!("{}/{}", text(&service["namespace"]), text(&service["name"])).into()
    }),
    columns::text("Available", "Whether the service answers.", |object, _| {
        let conditions = columns::list(columns::at(object, &["status", "conditions"]));
        let mut available = conditions.filter(|one| text(&one["type"]) == "Available");
        match available.next().map(|one| (text(&one["status"]), text(&one["reason"]))) {
            None => "Unknown".into(),
            Some(("True", _)) => "True".into(),
            Some((status, reason)) => format!("{status} ({reason})").into(),
        }
    }),
    columns::AGE,
];

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let name = format!("{}.{}", text(&spec["version"]), text(&spec["group"]));
    if object.name() != name {
        let why = format!("must be `spec.version+\".\"+spec.group`: {name:?}");
        errors.push(FieldError::invalid("metadata.name", object.name(), why));
    }
    for (field, most) in [("groupPriorityMinimum", 20_000), ("versionPriority", 1000)] {
        let value = &spec[field];
        let number = value.as_i64().unwrap_or_default();
        if number <= 0 || number > most {
            let shown = if value.is_null() { &Json::from(0) } else { value };
            wrong(format!("spec.{field}"), shown, &format!("must be positive and less than {most}"), errors);
        }
    }
}
