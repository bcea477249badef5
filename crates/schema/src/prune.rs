//! Removes unknown fields.

use std::fmt::Write as _;

use client_rs_machinery::{Json, Map};

use super::schema::{Additional, Schema};

const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Removes the fields of an object that are not in its schema. Returns their paths, sorted.
pub(crate) fn prune(object: &mut Map<Json>, schema: &Schema) -> Vec<String> {
    let mut pruned = Vec::new();
    let mut path = String::new();
    map(object, Some(schema), true, &mut path, &mut pruned);
    pruned.sort();
    pruned
}

/// Whether a value has no unknown fields. The value is not a whole object.
pub(crate) fn is_pruned(value: &Json, schema: &Schema) -> bool {
    let mut pruned = Vec::new();
    walk(&mut value.clone(), Some(schema), &mut String::new(), &mut pruned);
    pruned.is_empty()
}

fn walk(value: &mut Json, schema: Option<&Schema>, path: &mut String, pruned: &mut Vec<String>) {
    match value {
        Json::Map(object) => map(object, schema, schema.is_some_and(|schema| schema.embedded), path, pruned),
        Json::List(list) => {
            let keeps = schema.is_some_and(|schema| schema.preserve_unknown);
            let items = schema.and_then(|schema| schema.items.as_deref());
            let length = path.len();
            for (index, item) in list.make_mut().iter_mut().enumerate() {
                let _ = write!(path, "[{index}]");
                if !keeps {
                    walk(item, items, path, pruned);
                } else if let Some(items) = items {
                    keep(item, items, path, pruned);
                }
                path.truncate(length);
            }
        }
        _ => {}
    }
}

fn map(
    object: &mut Map<Json>,
    schema: Option<&Schema>,
    embedded: bool,
    path: &mut String,
    pruned: &mut Vec<String>,
) {
    let keeps = schema.is_some_and(|schema| schema.preserve_unknown);
    let length = path.len();
    object.retain(|key, value| {
        let is_meta = META.contains(&key.as_str());
        if schema.is_some() && embedded && is_meta {
            return true;
        }
        let below = schema.and_then(|schema| match schema.properties.get(key) {
            Some(property) => Some(Some(property)),
            None => schema.additional.as_ref().map(|additional| match additional {
                Additional::Of(schema) => Some(&**schema),
                Additional::Allowed(_) => None,
            }),
        });
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(key);
        let kept = match below {
            Some(below) => {
                walk(value, below, path, pruned);
                true
            }
            None => keeps,
        };
        if !kept && (schema.is_none() || !is_meta || length > 0) {
            pruned.push(path.clone());
        }
        path.truncate(length);
        kept
    });
}

/// Walks an item of a list that keeps unknown fields: the fields of the item are kept, and values with a schema
/// below it are pruned.
fn keep(value: &mut Json, schema: &Schema, path: &mut String, pruned: &mut Vec<String>) {
    let keeping = Schema { preserve_unknown: true, ..schema.clone() };
    walk(value, Some(&keeping), path, pruned);
}
