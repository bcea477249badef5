//! `LimitRange`.

use std::collections::HashSet;

use client_rs_machinery::{FieldError, Json, Map, Quantity, Unstructured};

use crate::kinds::rules::{Errors, KindRules};
use crate::kinds::shared::checks::{at, is_empty, list, quantity, text};
use crate::kinds::shared::defaulting::{is, items, within};

pub(super) const RULES: KindRules = KindRules {
    plural: "limitranges",
    create_on_update: true,
    defaults: |object| items(within(object, "spec"), "limits").for_each(limit_defaults),
    validate,
    ..super::SHARED
};

/// The maximum is the default limit, the limit is the default request, and without a limit the minimum is.
fn limit_defaults(limit: &mut Map<Json>) {
    if !is(limit, "type", "Container") {
        return;
    }
    for (from, to) in [("max", "default"), ("default", "defaultRequest"), ("min", "defaultRequest")] {
        let Some(Json::Map(source)) = limit.get(from).cloned() else { continue };
        let target = within(limit, to);
        for (resource, amount) in &source {
            if !target.contains_key(resource) {
                target.insert(resource.clone(), amount.clone());
            }
        }
    }
}

fn validate(object: &Unstructured, errors: &mut Errors) {
    let spec = at(object, "spec");
    let mut seen = HashSet::new();
    for (index, limit) in list(&spec["limits"]).enumerate() {
        let path = format!("spec.limits[{index}]");
        let kind = text(&limit["type"]);
        if !seen.insert(kind) {
            errors.push(FieldError::duplicate(format!("{path}.type"), kind));
        }
        if kind == "Pod" {
            for field in ["default", "defaultRequest"].iter().filter(|field| !is_empty(&limit[**field])) {
                let why = "may not be specified when `type` is 'Pod'";
                errors.push(FieldError::forbidden(format!("{path}.{field}"), why));
            }
        }
        let names: std::collections::BTreeSet<&str> = ["min", "max", "default", "defaultRequest"]
            .iter()
            .flat_map(|field| limit[*field].as_map().into_iter().flatten().map(|(name, _)| name.as_str()))
            .collect();
        for name in names {
            amounts(limit, &path, name, errors);
        }
    }
}

/// Validates the amounts of one resource: their order must be consistent.
fn amounts(limit: &Json, path: &str, name: &str, errors: &mut Errors) {
    let of = |field: &str| -> Option<Quantity> { quantity(limit[field].get(name)?) };
    let mut above = |low: (&str, &str), high: (&str, &str), at: &str, shown: &str| {
        let (Some(least), Some(most)) = (of(low.0), of(high.0)) else { return };
        if least > most {
            let why = format!("{} value {least} is greater than {} value {most}", low.1, high.1);
            let value = of(shown).map(|value| value.to_string()).unwrap_or_default();
            errors.push(FieldError::invalid(format!("{path}.{at}[{name}]"), &value, why));
        }
    };
    above(("min", "min"), ("max", "max"), "min", "min");
    above(("min", "min"), ("defaultRequest", "default request"), "defaultRequest", "defaultRequest");
    above(("defaultRequest", "default request"), ("max", "max"), "defaultRequest", "defaultRequest");
    above(("defaultRequest", "default request"), ("default", "default"), "defaultRequest", "defaultRequest");
    above(("min", "min"), ("default", "default"), "default", "min");
    above(("default", "default"), ("max", "max"), "default", "default");
}
