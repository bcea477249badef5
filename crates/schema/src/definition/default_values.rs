//! Validates defaults: a default must be valid for its own schema.

use client_rs_machinery::{FieldError, Json};

use super::super::schema::Schema;
use super::super::{embedded, go, prune, value};

/// Validates the defaults of a schema. There are none below `additionalProperties`.
pub(super) fn check(schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    if let Some(default) = &schema.default {
        let at = format!("{path}.default");
        if !prune::is_pruned(default, schema) {
            let why = "must not have unknown fields";
            errors.push(FieldError::invalid_json(at.as_str(), go::shown(default), why));
        }
        let embedded = match coerced(default, schema, &at) {
            Err(error) => vec![error],
            Ok(()) => embedded::check_value(default, schema, &at),
        };
        if embedded.is_empty() {
            errors.extend(value::check(default, None, schema, &at));
        } else {
            errors.extend(embedded);
        }
    }
    if let Some(items) = &schema.items {
        check(items, &format!("{path}.items"), errors);
    }
    for (key, property) in &schema.properties {
        check(property, &format!("{path}.properties[{key}]"), errors);
    }
}

fn coerced(default: &Json, schema: &Schema, path: &str) -> Result<(), FieldError> {
    match default.clone() {
        Json::Map(mut object) => embedded::coerce(&mut object, schema, path, &mut Vec::new()),
        _ => Ok(()),
    }
}
