//! The patches that expressions of mutating policies make.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_cel::{Key, Value};
use client_rs_machinery::patch::{JsonPatch, JsonPatchErrorKind};
use client_rs_machinery::{ApiError, Json, Map};

use crate::registry::{Served, merge_type};

/// The reason why an object is not changed.
#[derive(Debug)]
pub(super) enum NotPatched {
    /// The mutation does not fit: the failure policy decides.
    Failed(String),
    Refused(ApiError),
}

fn failed(why: impl Into<String>) -> NotPatched {
    NotPatched::Failed(why.into())
}

/// Applies the operations of a JSON patch. If a test of it fails, the object stays.
pub(super) fn json_patched(operations: &Value, object: &Json) -> Result<Json, NotPatched> {
    let Value::List(operations) = operations else {
        return Err(failed("type mismatch: JSONPatchType.expression should evaluate to array"));
    };
    let operations: Result<Vec<Json>, NotPatched> = operations.iter().map(operation).collect();
    let patch = JsonPatch::from_json(&Json::from(operations?))
        .map_err(|error| failed(format!("JSON Patch: {error}")))?;
    match patch.apply(object) {
        Ok(patched) => Ok(patched),
        Err(error) if matches!(error.kind, JsonPatchErrorKind::TestFailed) => Ok(object.clone()),
        Err(error) => Err(failed(format!(
            "JSON Patch: {}",
            crate::admission::response::unpatched(&patch, object, &error)
        ))),
    }
}

/// An operation of a JSON patch.
fn operation(value: &Value) -> Result<Json, NotPatched> {
    let made = match value {
        Value::Library(library) => library.as_struct().filter(|made| made.name == "JSONPatch"),
        _ => None,
    };
    let made = made.ok_or_else(|| {
        failed("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch")
    })?;
    let mut operation = Map::new();
    for (field, value) in &made.fields {
        if field == "value" {
            check_names(value, None)?;
        }
        let value = json(value).ok_or_else(|| {
            failed("JSONPath valueExpression evaluated to a type that could not marshal to JSON")
        })?;
        if field != "from" || value.as_str() != Some("") {
            operation.insert(field.as_str(), value);
        }
    }
    Ok(Json::Map(operation))
}

/// Merges a configuration into an object, as server-side apply does, without owners.
pub(super) fn applied(
    configuration: &Value,
    object: &Json,
    served: &Served,
    version: &str,
    kind: &str,
) -> Result<Json, NotPatched> {
    check_names(configuration, Some("Object"))?;
    let mut patch = json(configuration)
        .filter(|patch| patch.as_map().is_some())
        .ok_or_else(|| failed("invalid return type"))?;
    for (key, value) in [("apiVersion", version), ("kind", kind)] {
        patch.set(&[key], value).map_err(|_| failed("invalid return type"))?;
    }
    let custom = served.custom().filter(|_| served.info.kind == kind);
    let of = match custom {
        Some(custom) => custom.merge.get(custom.version.as_str()).map(|(schema, root)| schema.root(*root)),
        None => merge_type(version, kind),
    };
    let of = of.ok_or_else(|| {
        let why = format!(
            "Resource kind {version}, Kind={kind} not found. There can be a delay between when CustomResourceDefinitions \
             are created and when they are available."
        );
        NotPatched::Refused(ApiError::service_unavailable(why))
    })?;
    let wrong = |why: String| failed(format!("error applying patch: {why}"));
    of.validate(&patch, false)
        .map_err(|errors| wrong(format!("failed to convert patch object to typed object: {errors}")))?;
    let atomic = of.atomics(&patch);
    if !atomic.is_empty() {
        let atomic = atomic.join(", ");
        return Err(wrong(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {atomic}"
        )));
    }
    of.validate(object, true)
        .map_err(|errors| wrong(format!("failed to convert original object to typed object: {errors}")))?;
    of.merge(object, &patch).map_err(|errors| wrong(format!("failed to merge patch: {errors}")))
}

/// Checks that the types of nested objects are the paths of their fields: `Object.spec` below `spec`.
fn check_names(value: &Value, root: Option<&str>) -> Result<(), NotPatched> {
    let mut path = match (value, root) {
        (_, Some(root)) => root.to_owned(),
        (Value::Library(library), None) => match library.as_struct() {
            Some(made) => made.name.clone(),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    let mut wrong = Vec::new();
    collect_names(value, &mut path, &mut wrong);
    if wrong.is_empty() { Ok(()) } else { Err(failed(format!("type mismatch: {}", wrong.join("\n")))) }
}

fn collect_names(value: &Value, path: &mut String, wrong: &mut Vec<String>) {
    match value {
        Value::Library(library) => {
            let Some(made) = library.as_struct() else { return };
            if made.name != *path {
                wrong.push(format!(
                    "unexpected type name {:?}, expected {path:?}, which matches field name path from root Object type",
                    made.name
                ));
            }
            for (field, value) in &made.fields {
                let end = path.len();
                let _ = write!(path, ".{field}");
                collect_names(value, path, wrong);
                path.truncate(end);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect_names(item, path, wrong)),
        Value::Map(entries) => entries.values().for_each(|value| collect_names(value, path, wrong)),
        _ => {}
    }
}

/// A value as JSON; `None` if it has no such form.
fn json(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        Value::Int(value) => Json::from(*value),
        Value::Uint(value) => Json::from(i64::try_from(*value).ok()?),
        Value::Double(value) => Json::from(*value),
        Value::Text(text) => Json::from(&**text),
        Value::Bytes(bytes) => Json::from(STANDARD.encode(bytes)),
        Value::List(items) => Json::from(items.iter().map(json).collect::<Option<Vec<Json>>>()?),
        Value::Map(entries) => {
            let mut map = Map::new();
            for (key, value) in entries.iter() {
                let Key::Text(key) = key else { return None };
                map.insert(&**key, json(value)?);
            }
            Json::Map(map)
        }
        Value::Library(library) => {
            let mut map = Map::new();
            for (field, value) in &library.as_struct()?.fields {
                map.insert(field.as_str(), json(value)?);
            }
            Json::Map(map)
        }
        Value::Optional(Some(value)) => json(value)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use client_rs_cel::Program;
    use client_rs_machinery::json as object;

    use super::*;

    fn made(text: &str) -> Value {
        Program::compile(text).unwrap().evaluate(&[]).unwrap()
    }

    fn told(result: Result<Json, NotPatched>) -> Result<Json, String> {
        result.map_err(|error| match error {
            NotPatched::Failed(why) => why,
            NotPatched::Refused(error) => error.to_string(),
        })
    }

    #[test]
    fn operations_change_an_object_unless_a_test_fails() {
        let before = object!({"metadata": {"labels": {"a/b": "1"}}});
        let patched = |text: &str| told(json_patched(&made(text), &before));
        assert_eq!(
            patched(
                "[JSONPatch{op: 'replace', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: '2'}, \
                 JSONPatch{op: 'add', path: '/spec', value: Object.spec{list: [1, 2], map: {'x': true}}}]"
            ),
            Ok(object!({"metadata": {"labels": {"a/b": "2"}}, "spec": {"list": [1, 2], "map": {"x": true}}}))
        );
        assert_eq!(
            patched(
                "[JSONPatch{op: 'test', path: '/metadata/labels', value: 1}, JSONPatch{op: 'remove', path: '/metadata'}]"
            ),
            Ok(before.clone())
        );
        assert!(
            patched("[JSONPatch{op: 'remove', path: '/nope'}]")
                .is_err_and(|why| why.starts_with("JSON Patch: "))
        );
        let why = "type mismatch: unexpected type name \"Object.other\", expected \"Object.spec.a\", which matches field \
                   name path from root Object type";
        assert_eq!(
            patched("[JSONPatch{op: 'add', path: '/spec', value: Object.spec{a: Object.other{}}}]"),
            Err(why.to_owned())
        );
    }

    #[test]
    fn names_of_types_follow_the_fields() {
        let check = |text: &str| check_names(&made(text), Some("Object")).is_ok();
        assert!(check(
            "Object{spec: Object.spec{items: [Object.spec.items{a: 1}], map: {'x': Object.spec.map{}}}}"
        ));
        assert!(!check("Object{spec: Object.metadata{}}"));
        assert!(!check("Object{spec: [Object.other{}]}"));
    }
}
