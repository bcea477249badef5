//! Sets the defaults of a schema.

use client_rs_machinery::{Json, Map};

use super::schema::{Additional, Schema};

/// Removes nulls that the schema neither allows nor has a default for.
pub(crate) fn drop_nulls(object: &mut Map<Json>, schema: &Schema) {
    object.retain(|key, value| {
        let below = schema.below(key);
        if value.is_null() {
            return below.is_none_or(|below| below.nullable || below.default.is_some());
        }
        if let Some(below) = below {
            drop_nulls_in(value, below);
        }
        true
    });
}

fn drop_nulls_in(value: &mut Json, schema: &Schema) {
    match value {
        Json::Map(object) => drop_nulls(object, schema),
        Json::List(list) => {
            let Some(items) = &schema.items else { return };
            list.make_mut().iter_mut().for_each(|item| drop_nulls_in(item, items));
        }
        _ => {}
    }
}

/// Sets defaults for missing values, and for nulls that are not allowed.
pub(crate) fn apply(object: &mut Map<Json>, schema: &Schema) {
    if !needed(object, schema) {
        return;
    }
    for (key, property) in &schema.properties {
        let Some(default) = &property.default else { continue };
        let missing = match object.get(key) {
            None => true,
            Some(value) => value.is_null() && !property.nullable,
        };
        if missing {
            object.insert(key.clone(), default.clone());
        }
    }
    for (key, value) in object.iter_mut() {
        if let Some(property) = schema.properties.get(key) {
            apply_to(value, property);
        } else if let Some(Additional::Of(schema)) = &schema.additional {
            fill(value, schema);
            apply_to(value, schema);
        }
    }
}

fn apply_to(value: &mut Json, schema: &Schema) {
    match value {
        Json::Map(object) => apply(object, schema),
        Json::List(list) => {
            let Some(items) = &schema.items else { return };
            for item in list.make_mut() {
                fill(item, items);
                apply_to(item, items);
            }
        }
        _ => {}
    }
}

fn fill(value: &mut Json, schema: &Schema) {
    if value.is_null()
        && !schema.nullable
        && let Some(default) = &schema.default
    {
        *value = default.clone();
    }
}

/// Whether the schema has any default below. Most schemas have few, and a walk copies the values on its way.
fn needed(object: &Map<Json>, schema: &Schema) -> bool {
    schema.properties.iter().any(|(key, property)| {
        property.default.is_some() || object.get(key).is_some_and(|_| has_default(property))
    }) || matches!(&schema.additional, Some(Additional::Of(schema)) if schema.default.is_some() || has_default(schema))
}

fn has_default(schema: &Schema) -> bool {
    let own = |schema: &Schema| schema.default.is_some() || has_default(schema);
    schema.properties.values().any(own)
        || schema.items.as_deref().is_some_and(own)
        || matches!(&schema.additional, Some(Additional::Of(schema)) if own(schema))
}
