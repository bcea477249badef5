//! Embedded objects inside of custom objects. Their kind and metadata follow the rules of all objects.

use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::validation::{self, NameUse};
use client_rs_machinery::wire::Message;
use client_rs_machinery::{FieldError, GroupVersion, Json, Map, Unstructured};

use super::go;
use super::schema::Schema;
use super::strict::complaints;

/// Normalizes the metadata of embedded objects. It is an error if metadata is malformed.
///
/// The paths of unknown fields are added to `unknown`.
pub(crate) fn coerce(
    object: &mut Map<Json>,
    schema: &Schema,
    path: &str,
    unknown: &mut Vec<String>,
) -> Result<(), FieldError> {
    if schema.embedded {
        for key in ["apiVersion", "kind"] {
            if let Some(value) = object.get(key).filter(|value| value.as_str().is_none()) {
                let why = "must be a string";
                return Err(FieldError::invalid_json(child(path, key), go::shown(value), why));
            }
        }
        if let Some(metadata) = object.get("metadata") {
            let at = child(path, "metadata");
            let (read, more) = read_metadata(metadata, &at)
                .map_err(|why| FieldError::invalid_json(at.as_str(), go::shown(metadata), why))?;
            unknown.extend(more);
            object.insert("metadata", read);
        }
    }
    let keys: Vec<_> = object.keys().cloned().collect();
    for key in keys {
        let (below, at) = match schema.properties.get(&key) {
            Some(property) => (Some(property), child(path, &key)),
            None => (schema.below(&key), format!("{path}[{key}]")),
        };
        if let (Some(below), Some(value)) = (below.filter(|below| reaches(below)), object.get_mut(&key)) {
            coerce_value(value, below, &at, unknown)?;
        }
    }
    Ok(())
}

fn coerce_value(
    value: &mut Json,
    schema: &Schema,
    path: &str,
    unknown: &mut Vec<String>,
) -> Result<(), FieldError> {
    match value {
        Json::Map(object) => coerce(object, schema, path, unknown),
        Json::List(list) => {
            let Some(items) = schema.items.as_deref().filter(|items| reaches(items)) else { return Ok(()) };
            for (index, item) in list.make_mut().iter_mut().enumerate() {
                coerce_value(item, items, &format!("{path}[{index}]"), unknown)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether the schema contains an embedded object. Most schemas have none.
fn reaches(schema: &Schema) -> bool {
    use super::schema::Additional;
    schema.embedded
        || schema.properties.values().any(reaches)
        || schema.items.as_deref().is_some_and(reaches)
        || matches!(&schema.additional, Some(Additional::Of(schema)) if reaches(schema))
}

/// Metadata with only its known fields, and the paths of the unknown ones.
pub(crate) fn read_metadata(metadata: &Json, path: &str) -> Result<(Json, Vec<String>), String> {
    let text = metadata.to_vec();
    let typed = ObjectMeta::from_json(&text).map_err(|error| go_error(&error.to_string()))?;
    let unknown = complaints(&text, ObjectMeta::DESCRIPTOR).map_err(|error| error.to_string())?;
    let unknown = unknown.iter().filter_map(|text| text.strip_prefix("unknown field \"")?.strip_suffix('"'));
    let unknown = unknown.map(|below| format!("{path}.{below}")).collect();
    let mut read = Json::from_message(&typed).map_err(|error| error.to_string())?;
    if read["creationTimestamp"].is_null() {
        read.remove(&["creationTimestamp"]);
    }
    Ok((read, unknown))
}

/// Go's error for malformed metadata, where a value has the wrong type.
fn go_error(error: &str) -> String {
    let parts =
        error.strip_prefix("can't decode ").and_then(|rest| rest.split_once(": expected a string, found "));
    let Some((path, found)) = parts else { return error.to_owned() };
    let path = path.split('[').next().unwrap_or_default();
    let found =
        found.split(" (").next().unwrap_or_default().trim_start_matches("an ").trim_start_matches("a ");
    let found = if found == "boolean" { "bool" } else { found };
    format!("json: cannot unmarshal {found} into Go struct field {path} of type string")
}

/// Validates embedded objects.
pub(crate) fn check(object: &Map<Json>, schema: &Schema, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if schema.embedded {
        resource(object, path, &mut errors);
    }
    for (key, value) in object {
        let (below, at) = match schema.properties.get(key) {
            Some(property) => (Some(property), child(path, key)),
            None => (schema.below(key), format!("{path}[{key}]")),
        };
        if let Some(below) = below {
            errors.extend(check_value(value, below, &at));
        }
    }
    errors
}

/// As [`check`], for any value.
pub(crate) fn check_value(value: &Json, schema: &Schema, path: &str) -> Vec<FieldError> {
    match (value, &schema.items) {
        (Json::Map(object), _) => check(object, schema, path),
        (Json::List(list), Some(items)) => list
            .iter()
            .enumerate()
            .flat_map(|(index, item)| check_value(item, items, &format!("{path}[{index}]")))
            .collect(),
        _ => Vec::new(),
    }
}

fn resource(object: &Map<Json>, path: &str, errors: &mut Vec<FieldError>) {
    for key in ["apiVersion", "kind"] {
        let at = child(path, key);
        match object.get(key) {
            None => errors.push(FieldError::required(at, "")),
            Some(Json::Str(text)) if text.is_empty() => {
                errors.push(FieldError::invalid(at, "", "must not be empty"));
            }
            Some(Json::Str(text)) if key == "apiVersion" => {
                if let Err(error) = GroupVersion::parse(text) {
                    errors.push(FieldError::invalid(at, text, error.to_string()));
                }
            }
            Some(Json::Str(text)) => {
                if let Some(why) = joined(validation::dns1035_label(&text.to_lowercase())) {
                    let why = format!("may have mixed case, but should otherwise match: {why}");
                    errors.push(FieldError::invalid(at, text, why));
                }
            }
            Some(other) => errors.push(FieldError::invalid_json(at, go::shown(other), "must be a string")),
        }
    }
    let Some(metadata) = object.get("metadata") else { return };
    let at = child(path, "metadata");
    match read_metadata(metadata, &at) {
        Err(why) => errors.push(FieldError::invalid_json(at, go::shown(metadata), why)),
        Ok((metadata, _)) => {
            let mut inner = Unstructured::default();
            inner.object.insert("metadata", metadata);
            let mut name = |field: &str, name: &str, name_use| {
                let violations = validation::name_is_path_segment(name, name_use).err();
                errors.extend(
                    violations
                        .into_iter()
                        .flatten()
                        .map(|why| FieldError::invalid(child(&at, field), name, why.to_string())),
                );
            };
            if !inner.generate_name().is_empty() {
                name("generateName", inner.generate_name(), NameUse::GenerateBase);
            }
            if !inner.name().is_empty() {
                name("name", inner.name(), NameUse::Name);
            }
            if !inner.namespace().is_empty() {
                let violations = validation::name_is_dns_label(inner.namespace(), NameUse::Name).err();
                errors.extend(violations.into_iter().flatten().map(|why| {
                    FieldError::invalid(child(&at, "namespace"), inner.namespace(), why.to_string())
                }));
            }
            errors.extend(super::metadata::check(&inner, &at));
        }
    }
}

fn child(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Joins several violations into one text.
pub(crate) fn joined(checked: validation::Result) -> Option<String> {
    let violations = checked.err()?;
    Some(violations.into_iter().map(|why| why.to_string()).collect::<Vec<_>>().join(","))
}
