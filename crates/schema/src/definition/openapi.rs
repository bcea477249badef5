//! Validates the schemas of a definition, except the rules for structural schemas.

use client_rs_machinery::{FieldError, Json};

use super::super::go;
use super::super::schema::Schema;
use super::{default_values, entries, field_path, internal, list, rule_types, structural};

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const META: [&str; 3] = ["metadata", "kind", "apiVersion"];

/// The keywords that are allowed at the root of a schema if the status is a subresource.
const AT_ROOT: [&str; 22] = [
    "Description",
    "Type",
    "Format",
    "Title",
    "Maximum",
    "ExclusiveMaximum",
    "Minimum",
    "ExclusiveMinimum",
    "MaxLength",
    "MinLength",
    "Pattern",
    "MaxItems",
    "MinItems",
    "UniqueItems",
    "MultipleOf",
    "Required",
    "Items",
    "Properties",
    "ExternalDocs",
    "Example",
    "XPreserveUnknownFields",
    "XValidations",
];

/// Validates the schema of a version. `path` is the path of its field, `old` the schema before.
pub(super) fn check(
    holder: &Json,
    old: Option<&Json>,
    status: bool,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    let schema = &holder["openAPIV3Schema"];
    if schema.is_null() {
        return;
    }
    let before = errors.len();
    let at = format!("{path}.openAPIV3Schema");
    if status {
        root(schema, &at, errors);
    }
    if schema["nullable"].as_bool() == Some(true) {
        errors.push(FieldError::forbidden(format!("{at}.nullable"), "nullable cannot be true at the root"));
    }
    let unsupported = structural::unsupported(schema);
    if unsupported.is_none() {
        let wrong = structural::check(schema, &at);
        if wrong.is_empty() {
            default_values::check(&Schema::compile(schema), &at, errors);
        }
        errors.extend(wrong);
    }
    let context = Context { no_defaults: None, inside_meta: false };
    walk(schema, &at, true, &context, errors);
    // The real server compiles rules only in structural schemas.
    if unsupported.is_none() && errors.len() == before {
        rule_types::check(schema, &at, old.is_some_and(|old| old["openAPIV3Schema"] == *schema), errors);
    }
    if let Some(why) = unsupported.filter(|_| errors.len() == before) {
        errors.push(FieldError::invalid(at, "", why));
    }
}

fn root(schema: &Json, at: &str, errors: &mut Vec<FieldError>) {
    for (name, _) in internal::set_fields(schema) {
        if name == "Type" {
            let kind = schema["type"].as_str().unwrap_or_default();
            if kind != "object" {
                let why = "only \"object\" is allowed as the type at the root of the schema if the status subresource is \
                           enabled";
                errors.push(FieldError::invalid(format!("{at}.type"), kind, why));
                return;
            }
        } else if !AT_ROOT.contains(&name) {
            let why = format!(
                "only [{}] fields are allowed at the root of the schema if the status subresource is enabled",
                AT_ROOT.join(" ")
            );
            errors.push(FieldError::invalid_json(at, internal::schema(schema), why));
            return;
        }
    }
}

/// The position in a schema.
#[derive(Clone)]
struct Context {
    /// The reason why defaults are forbidden, if they are.
    no_defaults: Option<String>,
    /// Whether it is below the kind or the metadata of an object.
    inside_meta: bool,
}

fn walk(schema: &Json, path: &str, is_root: bool, context: &Context, errors: &mut Vec<FieldError>) {
    own(schema, path, context, errors);
    let additional = &schema["additionalProperties"];
    if !additional.is_null() {
        if entries(&schema["properties"]).next().is_some()
            && (additional.as_bool() == Some(false) || additional.as_map().is_some())
        {
            let why = "additionalProperties and properties are mutual exclusive";
            errors.push(FieldError::forbidden(format!("{path}.additionalProperties"), why));
        }
        if additional.as_map().is_some() {
            let mut inner = context.clone();
            if context.inside_meta {
                inner.no_defaults =
                    Some("inside additionalProperties applying to object metadata".to_owned());
            }
            walk(additional, &format!("{path}.additionalProperties"), false, &inner, errors);
        }
    }
    let embedded = schema["x-kubernetes-embedded-resource"].as_bool() == Some(true);
    for (key, property) in entries(&schema["properties"]) {
        let mut inner = context.clone();
        if (is_root || embedded) && META.contains(&key.as_str()) {
            inner.inside_meta = true;
            if is_root {
                inner.no_defaults = Some(format!("in top-level {key}"));
            }
        }
        walk(property, &format!("{path}.properties[{key}]"), false, &inner, errors);
    }
    if !schema["not"].is_null() {
        walk(&schema["not"], &format!("{path}.not"), false, context, errors);
    }
    for key in ["allOf", "oneOf", "anyOf"] {
        for (index, nested) in list(&schema[key]).enumerate() {
            walk(nested, &format!("{path}.{key}[{index}]"), false, context, errors);
        }
    }
    for (key, nested) in entries(&schema["definitions"]) {
        walk(nested, &format!("{path}.definitions[{key}]"), false, context, errors);
    }
    match &schema["items"] {
        items @ Json::Map(_) => walk(items, &format!("{path}.items"), false, context, errors),
        Json::List(all) => {
            for (index, items) in all.iter().enumerate() {
                walk(items, &format!("{path}.items[{index}]"), false, context, errors);
            }
        }
        _ => {}
    }
    for (key, nested) in entries(&schema["dependencies"]).filter(|(_, nested)| nested.as_map().is_some()) {
        walk(nested, &format!("{path}.dependencies[{key}]"), false, context, errors);
    }
    extensions(schema, path, errors);
    list_keys(schema, path, errors);
    rules(schema, path, errors);
}

fn own(schema: &Json, path: &str, context: &Context, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{path}.{key}");
    let kind = schema["type"].as_str().unwrap_or_default();
    if !kind.is_empty() && !TYPES.contains(&kind) {
        errors.push(FieldError::not_supported(at("type"), kind, &TYPES));
    }
    if let Some(reason) = context.no_defaults.as_ref().filter(|_| !schema["default"].is_null()) {
        errors.push(FieldError::forbidden(at("default"), format!("must not be set {reason}")));
    }
    for key in ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] {
        if !schema[key].is_null() {
            errors.push(FieldError::forbidden(at(key), format!("{key} is not supported")));
        }
    }
    if kind == "null" {
        let why = "type cannot be set to null, use nullable as an alternative";
        errors.push(FieldError::forbidden(at("type"), why));
    }
    if schema["items"].as_list().is_some_and(|all| !all.is_empty()) {
        errors.push(FieldError::forbidden(at("items"), "items must be a schema object and not an array"));
    }
    if context.inside_meta && schema["x-kubernetes-embedded-resource"].as_bool() == Some(true) {
        let why = "must not be used inside of resource meta";
        errors.push(FieldError::forbidden(at("x-kubernetes-embedded-resource"), why));
    }
    if schema["uniqueItems"].as_bool() == Some(true) {
        let why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        errors.push(FieldError::forbidden(at("uniqueItems"), why));
    }
}

fn extensions(schema: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{path}.{key}");
    let kind = schema["type"].as_str().unwrap_or_default();
    if schema["x-kubernetes-preserve-unknown-fields"].as_bool() == Some(false) {
        let field = at("x-kubernetes-preserve-unknown-fields");
        errors.push(FieldError::invalid_json(field, "false", "must be true or undefined"));
    }
    let mut typed = |extension: &str, wanted: &str| {
        if schema[extension].is_null() || kind == wanted {
            return false;
        }
        let why = format!("must be {wanted} if {extension} is specified");
        errors.push(if kind.is_empty() {
            FieldError::required(at("type"), why)
        } else {
            FieldError::invalid(at("type"), kind, why)
        });
        true
    };
    typed("x-kubernetes-map-type", "object");
    let mistyped = typed("x-kubernetes-list-type", "array");
    if let Some(value) = schema["x-kubernetes-map-type"].as_str()
        && !["atomic", "granular"].contains(&value)
    {
        let field = at("x-kubernetes-map-type");
        errors.push(FieldError::not_supported(field, value, &["atomic", "granular"]));
    }
    let list_type = schema["x-kubernetes-list-type"].as_str();
    if list_type == Some("set") && !mistyped {
        let items = &schema["items"];
        let why = "must be atomic as item of a list with x-kubernetes-list-type=set";
        let own = |key: &str| items[key].as_str();
        match items["type"].as_str() {
            Some("array") if own("x-kubernetes-list-type").is_some_and(|kind| kind != "atomic") => {
                let shown = go::shown(&items["x-kubernetes-list-type"]);
                errors.push(FieldError::invalid_json(at("items.x-kubernetes-list-type"), shown, why));
            }
            Some("object") if own("x-kubernetes-map-type") != Some("atomic") => {
                // The real server prints the list type here.
                let shown = go::shown(&items["x-kubernetes-list-type"]);
                errors.push(FieldError::invalid_json(at("items.x-kubernetes-map-type"), shown, why));
            }
            _ => {}
        }
    }
    if let Some(value) = list_type.filter(|value| !["atomic", "set", "map"].contains(value)) {
        let field = at("x-kubernetes-list-type");
        errors.push(FieldError::not_supported(field, value, &["atomic", "set", "map"]));
    }
}

fn list_keys(schema: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let at = |key: &str| format!("{path}.{key}");
    let keys: Vec<&str> = list(&schema["x-kubernetes-list-map-keys"]).filter_map(Json::as_str).collect();
    let list_type = schema["x-kubernetes-list-type"].as_str();
    if !keys.is_empty() && list_type != Some("map") {
        let why = "must be map if x-kubernetes-list-map-keys is non-empty";
        errors.push(match list_type {
            None => FieldError::required(at("x-kubernetes-list-type"), why),
            Some(other) => FieldError::invalid(at("x-kubernetes-list-type"), other, why),
        });
    }
    let items = &schema["items"];
    if list_type == Some("map") {
        if keys.is_empty() {
            let why = "must not be empty if x-kubernetes-list-type is map";
            errors.push(FieldError::required(at("x-kubernetes-list-map-keys"), why));
        }
        if items.is_null() {
            let why = "must have a schema if x-kubernetes-list-type is map";
            errors.push(FieldError::required(at("items"), why));
        } else if items.as_map().is_some() && items["type"].as_str() != Some("object") {
            let kind = items["type"].as_str().unwrap_or_default();
            let why = "must be object if parent array's x-kubernetes-list-type is map";
            errors.push(FieldError::invalid(at("items.type"), kind, why));
        } else {
            let shown = go::json(&schema["x-kubernetes-list-map-keys"]);
            for (index, key) in keys.iter().enumerate() {
                let property = &items["properties"][*key];
                if property.is_null() {
                    let why = "entries must all be names of item properties";
                    errors.push(FieldError::invalid_json(
                        at("x-kubernetes-list-map-keys"),
                        shown.clone(),
                        why,
                    ));
                } else if ["array", "object"].contains(&property["type"].as_str().unwrap_or_default()) {
                    let why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                    let field = at(&format!("items.properties[{key}].type"));
                    errors.push(FieldError::invalid(field, "object", why));
                }
                if keys[..index].contains(key) {
                    let why = "must not contain duplicate entries";
                    errors.push(FieldError::invalid_json(
                        at("x-kubernetes-list-map-keys"),
                        shown.clone(),
                        why,
                    ));
                }
            }
        }
    }
    let Some(kind @ ("set" | "map")) = list_type else { return };
    if items["nullable"].as_bool() == Some(true) {
        let why = format!("cannot be nullable when x-kubernetes-list-type is {kind}");
        errors.push(FieldError::forbidden(at("items.nullable"), why));
    }
    let required: Vec<&str> = list(&items["required"]).filter_map(Json::as_str).collect();
    for key in keys.iter().filter(|_| kind == "map") {
        let property = &items["properties"][*key];
        if property.is_null() {
            continue;
        }
        let field = |name: &str| at(&format!("items.properties[{key}].{name}"));
        if !required.contains(key) && property["default"].is_null() {
            let why = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            errors.push(FieldError::required(field("default"), why));
        }
        if property["nullable"].as_bool() == Some(true) {
            let why = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.push(FieldError::forbidden(field("nullable"), why));
        }
    }
}

/// Validates `x-kubernetes-validations`, except the expressions.
fn rules(schema: &Json, path: &str, errors: &mut Vec<FieldError>) {
    let breaks = |text: &str| text.contains(['\n', '\r']);
    for (index, rule) in list(&schema["x-kubernetes-validations"]).enumerate() {
        let at = |key: &str| format!("{path}.x-kubernetes-validations[{index}].{key}");
        let text = |key: &str| rule[key].as_str().unwrap_or_default();
        let (trimmed, message) = (text("rule").trim(), text("message").trim());
        if trimmed.is_empty() {
            errors.push(FieldError::required(at("rule"), "rule is not specified"));
        } else if !text("message").is_empty() && message.is_empty() {
            errors.push(FieldError::invalid(
                at("message"),
                text("message"),
                "must be non-empty if specified",
            ));
        } else if breaks(message) {
            errors.push(FieldError::invalid(at("message"), text("message"), "must not contain line breaks"));
        } else if breaks(trimmed) && message.is_empty() {
            let why = "message must be specified if rule contains line breaks";
            errors.push(FieldError::required(at("message"), why));
        }
        if !text("messageExpression").is_empty() && text("messageExpression").trim().is_empty() {
            let why = "messageExpression must be non-empty if specified";
            errors.push(FieldError::required(at("messageExpression"), why));
        }
        if let Some(reason) = rule["reason"].as_str().filter(|reason| !REASONS.contains(reason)) {
            errors.push(FieldError::not_supported(at("reason"), reason, &REASONS));
        }
        let field = text("fieldPath");
        if !field.is_empty() {
            if field.trim().is_empty() {
                errors.push(FieldError::invalid(at("fieldPath"), field, "must be non-empty if specified"));
            }
            if breaks(field) {
                errors.push(FieldError::invalid(at("fieldPath"), field, "must not contain line breaks"));
            }
            if field_path::resolve(field, schema, true).is_err() {
                errors.push(FieldError::invalid(at("fieldPath"), field, "must be a valid path"));
            }
        }
    }
}

/// Visits a schema and all below it.
pub(super) fn each(schema: &Json, visit: &mut dyn FnMut(&Json)) {
    if schema.as_map().is_none() {
        return;
    }
    visit(schema);
    match &schema["items"] {
        Json::List(all) => all.iter().for_each(|items| each(items, visit)),
        items => each(items, visit),
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        list(&schema[key]).for_each(|nested| each(nested, visit));
    }
    each(&schema["not"], visit);
    each(&schema["additionalProperties"], visit);
    each(&schema["additionalItems"], visit);
    for key in ["properties", "patternProperties", "definitions", "dependencies"] {
        entries(&schema[key]).for_each(|(_, nested)| each(nested, visit));
    }
}

/// Whether the predicate holds for a schema or any schema below it.
pub(super) fn any(schema: &Json, holds: &dyn Fn(&Json) -> bool) -> bool {
    let mut found = false;
    each(schema, &mut |schema| found |= holds(schema));
    found
}
