//! Validates list types: the items of sets and maps must be unique.

use std::collections::HashMap;

use client_rs_machinery::{FieldError, Json, Map};

use super::go;
use super::schema::{Additional, ListType, Schema};

/// Validates the lists of an object that are sets or maps.
pub(crate) fn check(object: &Map<Json>, schema: &Schema, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for (key, value) in object {
        if let Some(Additional::Of(schema)) = &schema.additional {
            errors.extend(value_errors(value, schema, &format!("{path}[{key}]")));
        }
        if let Some(property) = schema.properties.get(key) {
            let at = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
            errors.extend(value_errors(value, property, &at));
        }
    }
    errors
}

fn value_errors(value: &Json, schema: &Schema, path: &str) -> Vec<FieldError> {
    match value {
        Json::Map(object) => check(object, schema, path),
        Json::List(list) => {
            let mut errors = match schema.list_type {
                ListType::Atomic => Vec::new(),
                ListType::Set => duplicates(list)
                    .into_iter()
                    .map(|at| FieldError::duplicate_json(format!("{path}[{at}]"), go::shown(&list[at])))
                    .collect(),
                ListType::Map => map_errors(list, schema, path),
            };
            if let Some(items) = &schema.items {
                for (index, item) in list.iter().enumerate() {
                    errors.extend(value_errors(item, items, &format!("{path}[{index}]")));
                }
            }
            errors
        }
        _ => Vec::new(),
    }
}

fn map_errors(list: &[Json], schema: &Schema, path: &str) -> Vec<FieldError> {
    let odd = list.iter().position(|item| !matches!(item, Json::Map(_) | Json::Null));
    if let Some(at) = odd {
        let why = "must be an object for an array of list-type map";
        return vec![FieldError::invalid_json(format!("{path}[{at}]"), go::shown(&list[at]), why)];
    }
    let keys: Vec<Json> = list
        .iter()
        .map(|item| {
            let present =
                |key: &client_rs_machinery::Str| Some((key.clone(), item.get(key.as_str())?.clone()));
            Json::Map(schema.list_keys.iter().filter_map(present).collect())
        })
        .collect();
    let shown = |at: usize| FieldError::duplicate_json(format!("{path}[{at}]"), go::shown(&keys[at]));
    duplicates(&keys).into_iter().map(shown).collect()
}

/// The positions of the second occurrences of values.
fn duplicates(values: &[Json]) -> Vec<usize> {
    let mut seen: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut found = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let count = seen.entry(value.to_vec()).or_default();
        *count += 1;
        if *count == 2 {
            found.push(at);
        }
    }
    found
}
