//! Validates that a schema is structural: every field that a rule refers to has its type in the schema's own tree.

use client_rs_machinery::{FieldError, Json, json};

use super::{entries, list};
use client_rs_cel::go;

/// The keywords that are forbidden below a logical junctor (`allOf`, `anyOf`, `oneOf`, `not`).
const FORBIDDEN: [(&str, &str); 12] = [
    ("type", "must be empty to be structural"),
    ("additionalProperties", "must be undefined to be structural"),
    ("default", "must be undefined to be structural"),
    ("title", "must be empty to be structural"),
    ("description", "must be empty to be structural"),
    ("nullable", "must be false to be structural"),
    ("x-kubernetes-preserve-unknown-fields", "must be false to be structural"),
    ("x-kubernetes-embedded-resource", "must be false to be structural"),
    ("x-kubernetes-int-or-string", "must be false to be structural"),
    ("x-kubernetes-list-map-keys", "must be empty to be structural"),
    ("x-kubernetes-list-type", "must be undefined to be structural"),
    ("x-kubernetes-map-type", "must be undefined to be structural"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// The errors that keep a schema from being structural, sorted by text.
pub(super) fn check(schema: &Json, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    invariants(schema, Level::Root, path, &mut errors);
    completeness(schema, Some(schema), path, path, &mut errors);
    errors.sort_by_cached_key(ToString::to_string);
    errors
}

/// The real server's error for the first keyword that structural schemas do not support; `None` if there is none.
pub(super) fn unsupported(schema: &Json) -> Option<String> {
    let mut found = None;
    super::openapi::each(schema, &mut |schema| {
        if found.is_some() {
            return;
        }
        let named = [
            ("id", "id"),
            ("$schema", "schema"),
            ("$ref", "$ref"),
            ("patternProperties", "patternProperties"),
            ("dependencies", "dependencies"),
            ("additionalItems", "additionalItems"),
            ("definitions", "definitions"),
        ];
        found = named
            .iter()
            .find(|(key, _)| !schema[*key].is_null())
            .map(|(_, name)| format!("OpenAPIV3Schema '{name}' is not supported"))
            .or_else(|| {
                schema["items"].as_list()?;
                Some("OpenAPIV3Schema 'items' must be a schema, but is an array".to_owned())
            })
            .or_else(|| {
                (schema["x-kubernetes-preserve-unknown-fields"].as_bool() == Some(false)).then(|| {
                    "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
                        .to_owned()
                })
            });
    });
    found
}

fn flag(schema: &Json, key: &str) -> bool {
    schema[key].as_bool() == Some(true)
}

fn invariants(schema: &Json, level: Level, path: &str, errors: &mut Vec<FieldError>) {
    let kind = schema["type"].as_str().unwrap_or_default();
    let at = |key: &str| format!("{path}.{key}");
    if kind == "array" && schema["items"].is_null() {
        errors.push(FieldError::required(at("items"), "must be specified"));
    }
    if schema["items"].as_map().is_some() {
        invariants(&schema["items"], Level::Item, &at("items"), errors);
    }
    for (key, property) in entries(&schema["properties"]) {
        invariants(property, Level::Field, &format!("{path}.properties[{key}]"), errors);
    }
    let additional = &schema["additionalProperties"];
    if !additional.is_null() {
        if level == Level::Root {
            errors.push(FieldError::forbidden(at("additionalProperties"), "must not be used at the root"));
        }
        if additional.as_map().is_some() {
            invariants(additional, Level::Field, &at("additionalProperties"), errors);
        }
    }
    let (int_or_string, preserves, embedded) = (
        flag(schema, "x-kubernetes-int-or-string"),
        flag(schema, "x-kubernetes-preserve-unknown-fields"),
        flag(schema, "x-kubernetes-embedded-resource"),
    );
    for (also, key) in
        [(preserves, "x-kubernetes-preserve-unknown-fields"), (embedded, "x-kubernetes-embedded-resource")]
    {
        if int_or_string && also {
            let why = "must be false if x-kubernetes-int-or-string is true";
            errors.push(FieldError::invalid_json(at(key), "true", why));
        }
    }
    let either = json!([{"type": "integer"}, {"type": "string"}]);
    let skip_any = schema["anyOf"] == either;
    let skip_first = list(&schema["allOf"]).next().is_some_and(|first| first["anyOf"] == either);
    values(schema, skip_any, skip_first, path, errors);
    if embedded && kind != "object" {
        let why = "must be object if x-kubernetes-embedded-resource is true";
        errors.push(if kind.is_empty() {
            FieldError::required(at("type"), why)
        } else {
            FieldError::invalid(at("type"), kind, why)
        });
    } else if kind.is_empty() && !int_or_string && !preserves {
        let why = match level {
            Level::Root => "must not be empty at the root",
            Level::Item => "must not be empty for specified array items",
            Level::Field => "must not be empty for specified object fields",
        };
        errors.push(FieldError::required(at("type"), why));
    }
    if embedded && !additional.is_null() {
        let why = "must not be used if x-kubernetes-embedded-resource is set";
        errors.push(FieldError::forbidden(at("additionalProperties"), why));
    }
    if level == Level::Root && !kind.is_empty() && kind != "object" {
        errors.push(FieldError::invalid(at("type"), kind, "must be object at the root"));
    }
    metadata(schema, level, embedded, path, errors);
    if embedded && !preserves && entries(&schema["properties"]).next().is_none() {
        let why = "must not be empty if x-kubernetes-embedded-resource is true without \
                   x-kubernetes-preserve-unknown-fields";
        errors.push(FieldError::required(at("properties"), why));
    }
}

fn metadata(schema: &Json, level: Level, embedded: bool, path: &str, errors: &mut Vec<FieldError>) {
    let checks = level == Level::Root || embedded;
    for key in ["kind", "apiVersion"] {
        let property = &schema["properties"][key];
        let kind = property["type"].as_str().unwrap_or_default();
        if checks && !property.is_null() && kind != "string" {
            errors.push(FieldError::invalid(
                format!("{path}.properties[{key}].type"),
                kind,
                "must be string",
            ));
        }
    }
    let metadata = &schema["properties"]["metadata"];
    if metadata.is_null() {
        return;
    }
    let at = format!("{path}.properties[metadata]");
    let kind = metadata["type"].as_str().unwrap_or_default();
    if checks && kind != "object" {
        errors.push(FieldError::invalid(format!("{at}.type"), kind, "must be object"));
    }
    if level == Level::Root {
        let names = |key: &str| ["name", "generateName"].contains(&key);
        let plain = entries(metadata).all(|(key, value)| match key.as_str() {
            "type" | "default" => true,
            "properties" => entries(value).all(|(key, _)| names(key)),
            _ => false,
        });
        if !plain {
            let why = "must not specify anything other than name and generateName, but metadata is implicitly specified";
            errors.push(FieldError::forbidden(at, why));
        }
    }
}

fn values(schema: &Json, skip_any: bool, skip_first: bool, path: &str, errors: &mut Vec<FieldError>) {
    for key in ["anyOf", "allOf", "oneOf"] {
        for (index, nested) in list(&schema[key]).enumerate() {
            let skips = key == "allOf" && skip_first && index == 0;
            if !(key == "anyOf" && skip_any) {
                self::nested(nested, skips, &format!("{path}.{key}[{index}]"), errors);
            }
        }
    }
    if !schema["not"].is_null() {
        nested(&schema["not"], false, &format!("{path}.not"), errors);
    }
    if let Some(text) = schema["pattern"].as_str().filter(|text| !text.is_empty())
        && let Err(why) = go::pattern(text)
    {
        let why = format!("must be a valid regular expression, but isn't: {why}");
        errors.push(FieldError::invalid(format!("{path}.pattern"), text, why));
    }
}

/// Validates the schemas below a junctor: they may constrain values, but not define structure.
fn nested(schema: &Json, skip_any: bool, path: &str, errors: &mut Vec<FieldError>) {
    values(schema, skip_any, false, path, errors);
    if schema["items"].as_map().is_some() {
        nested(&schema["items"], false, &format!("{path}.items"), errors);
    }
    for (key, property) in entries(&schema["properties"]) {
        nested(property, false, &format!("{path}.properties[{key}]"), errors);
    }
    for (key, why) in FORBIDDEN {
        let value = &schema[key];
        if !value.is_null() && (key != "additionalProperties" || value.as_bool() != Some(false)) {
            errors.push(FieldError::forbidden(format!("{path}.{key}"), why));
        }
    }
    if list(&schema["x-kubernetes-validations"]).next().is_some() {
        let field = format!("{path}.x-kubernetes-validations");
        errors.push(FieldError::forbidden(field, "must be empty to be structural"));
    }
    if !schema["properties"]["metadata"].is_null() {
        let field = format!("{path}.properties[metadata]");
        errors.push(FieldError::forbidden(field, "must not be specified in a nested context"));
    }
}

/// Checks that the fields in value constraints exist in the tree.
fn completeness(rules: &Json, tree: Option<&Json>, tree_at: &str, at: &str, errors: &mut Vec<FieldError>) {
    let Some(tree) = tree else {
        errors.push(FieldError::required(tree_at, format!("because it is defined in {at}")));
        return;
    };
    let mut below = |nested: &Json, at: &str| {
        completeness(nested, Some(tree), tree_at, at, errors);
        if nested["items"].as_map().is_some() {
            let items = Some(&tree["items"]).filter(|items| items.as_map().is_some());
            let (tree_at, at) = (format!("{tree_at}.items"), format!("{at}.items"));
            nested_completeness(&nested["items"], items, &tree_at, &at, errors);
        }
        for (key, property) in entries(&nested["properties"]) {
            let found = tree["properties"].get(key.as_str());
            let (tree_at, at) = (format!("{tree_at}.properties[{key}]"), format!("{at}.properties[{key}]"));
            nested_completeness(property, found, &tree_at, &at, errors);
        }
    };
    if !rules["not"].is_null() {
        below(&rules["not"], &format!("{at}.not"));
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        for (index, nested) in list(&rules[key]).enumerate() {
            below(nested, &format!("{at}.{key}[{index}]"));
        }
    }
}

fn nested_completeness(
    rules: &Json,
    tree: Option<&Json>,
    tree_at: &str,
    at: &str,
    errors: &mut Vec<FieldError>,
) {
    let Some(found) = tree else {
        errors.push(FieldError::required(tree_at, format!("because it is defined in {at}")));
        return;
    };
    completeness(rules, Some(found), tree_at, at, errors);
    if rules["items"].as_map().is_some() {
        let items = Some(&found["items"]).filter(|items| items.as_map().is_some());
        nested_completeness(
            &rules["items"],
            items,
            &format!("{tree_at}.items"),
            &format!("{at}.items"),
            errors,
        );
    }
    for (key, property) in entries(&rules["properties"]) {
        let below = found["properties"].get(key.as_str());
        let (tree_at, at) = (format!("{tree_at}.properties[{key}]"), format!("{at}.properties[{key}]"));
        nested_completeness(property, below, &tree_at, &at, errors);
    }
}
