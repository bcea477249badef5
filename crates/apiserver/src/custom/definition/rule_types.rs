//! Whether the rules of `x-kubernetes-validations` can be evaluated at all: their types, by the schema that they are of.

use client_rs_cel::{Checker, Type};
use client_rs_machinery::{FieldError, Json};

use super::super::go;
use super::{entries, list};

/// What is wrong with the rules of a structural schema and of all below it.
pub(super) fn check(schema: &Json, path: &str, is_root: bool, errors: &mut Vec<FieldError>) {
    own(schema, path, is_root, errors);
    for (name, property) in entries(&schema["properties"]) {
        check(property, &format!("{path}.properties[{name}]"), false, errors);
    }
    if schema["items"].as_map().is_some() {
        check(&schema["items"], &format!("{path}.items"), false, errors);
    }
    if schema["additionalProperties"].as_map().is_some() {
        check(&schema["additionalProperties"], &format!("{path}.additionalProperties"), false, errors);
    }
}

fn own(schema: &Json, path: &str, is_root: bool, errors: &mut Vec<FieldError>) {
    if list(&schema["x-kubernetes-validations"]).next().is_none() {
        return;
    }
    let Some(own) = type_of(schema, "selfType", is_root) else { return };
    for (index, rule) in list(&schema["x-kubernetes-validations"]).enumerate() {
        let at = |key: &str| format!("{path}.x-kubernetes-validations[{index}].{key}");
        let text = |key: &str| rule[key].as_str().unwrap_or_default();
        if text("rule").trim().is_empty() {
            continue;
        }
        let variables = [("self", own.clone())];
        let old = if rule["optionalOldSelf"].as_bool() == Some(true) {
            Type::optional(own.clone())
        } else {
            own.clone()
        };
        let checker = Checker::new(variables.into_iter().chain([("oldSelf", old)]));
        let refused = |key: &str, why: String| FieldError::invalid_json(at(key), shown(rule), why);
        match checker.check(text("rule")) {
            Ok(Type::Bool | Type::Dyn) => {}
            Ok(_) => {
                errors.push(refused("rule", "cel expression must evaluate to a bool".to_owned()));
                continue;
            }
            Err(error) => {
                errors.push(refused("rule", format!("compilation failed: {error}")));
                continue;
            }
        }
        if text("messageExpression").trim().is_empty() {
            continue;
        }
        match checker.check(text("messageExpression")) {
            Ok(Type::Text | Type::Dyn) => {}
            Ok(_) => {
                let why = "messageExpression must evaluate to a string".to_owned();
                errors.push(refused("messageExpression", why));
            }
            Err(error) => {
                let why = format!("messageExpression compilation failed: {error}");
                errors.push(refused("messageExpression", why));
            }
        }
    }
}

/// A rule as the real server's errors show it.
fn shown(rule: &Json) -> String {
    let text = |key: &str| go::json(&Json::from(rule[key].as_str().unwrap_or_default()));
    format!(
        "{{\"Rule\":{},\"Message\":{},\"MessageExpression\":{},\"Reason\":{},\"FieldPath\":{},\"OptionalOldSelf\":{}}}",
        text("rule"),
        text("message"),
        text("messageExpression"),
        go::json(&rule["reason"]),
        text("fieldPath"),
        go::json(&rule["optionalOldSelf"]),
    )
}

/// The type of what a schema describes; `None` where rules see nothing of it.
fn type_of(schema: &Json, name: &str, is_root: bool) -> Option<Type> {
    if schema["x-kubernetes-int-or-string"].as_bool() == Some(true) {
        return Some(Type::Dyn);
    }
    match schema["type"].as_str()? {
        "array" => Some(Type::list(type_of(&schema["items"], &format!("{name}.@items"), false)?)),
        "object" => {
            if schema["additionalProperties"].as_map().is_some() {
                let values = type_of(&schema["additionalProperties"], &format!("{name}.@values"), false)?;
                return Some(Type::map(values));
            }
            let embedded = schema["x-kubernetes-embedded-resource"].as_bool() == Some(true);
            let mut fields: Vec<(&str, Type)> = entries(&schema["properties"])
                .filter_map(|(key, property)| {
                    Some((key.as_str(), type_of(property, &format!("{name}.{key}"), false)?))
                })
                .collect();
            if is_root || embedded {
                let metadata = [("name", Type::Text), ("generateName", Type::Text)];
                fields.retain(|(key, _)| !["apiVersion", "kind", "metadata"].contains(key));
                fields.push(("apiVersion", Type::Text));
                fields.push(("kind", Type::Text));
                fields.push(("metadata", Type::object(format!("{name}.metadata"), metadata)));
            }
            Some(Type::object(name, fields))
        }
        "string" => Some(match schema["format"].as_str().unwrap_or_default() {
            "byte" => Type::Bytes,
            "duration" => Type::Duration,
            "date" | "date-time" => Type::Timestamp,
            _ => Type::Text,
        }),
        "boolean" => Some(Type::Bool),
        "number" => Some(Type::Double),
        "integer" => Some(Type::Int),
        _ => None,
    }
}
