//! `APIService`.

use client_rs_machinery::{FieldError, Json, Unstructured};

use crate::kinds::rules::{Errors, FollowUp, KindRules};
use crate::kinds::shared::checks::{at, text, wrong};

pub(super) const RULES: KindRules = KindRules {
    plural: "apiservices",
    follow_up: Some(FollowUp::CheckAvailability),
    validate,
    ..super::SHARED
};

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
