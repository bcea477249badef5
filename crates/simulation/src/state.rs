//! The objects of a simulation at one time, and how two states differ.

use std::collections::{BTreeMap, BTreeSet};

use client_rs_machinery::Resource;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::path::ObjectPath;
use crate::tap::TOUCHED;

/// The objects on the server at one time, for properties: those of the kinds that the workload has or that processes have
/// written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Objects {
    by_path: BTreeMap<String, Value>,
}

impl Objects {
    pub(crate) fn insert(&mut self, path: String, object: Value) {
        self.by_path.insert(path, object);
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Value> {
        self.by_path.get(path)
    }

    /// Returns the objects of a kind, in the order of their namespaces and names. Objects that can't be decoded are left out.
    pub fn of<K: Resource + Payload>(&self) -> Vec<K> {
        let info = K::INFO;
        let api = match info.group {
            "" => format!("/api/{}", info.version),
            group => format!("/apis/{group}/{}", info.version),
        };
        let of_kind = self.by_path.iter().filter(|(path, _)| {
            ObjectPath::parse(path).is_some_and(|path| path.api == api && path.plural == info.plural)
        });
        of_kind
            .filter_map(|(_, value)| {
                K::decode_item(Format::Json, value.to_string().as_bytes(), &mut Decoding::new()).ok()
            })
            .collect()
    }

    /// The state without everything that differs from run to run: identities, versions, times, generated names.
    pub(crate) fn normal(&self, ignored: &BTreeSet<String>) -> BTreeMap<String, Value> {
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for (path, object) in &self.by_path {
            let meta = |field: &str| object.get("metadata").and_then(|meta| meta.get(field)?.as_str());
            if let Some(uid) = meta("uid") {
                names.insert(uid, format!("<uid of {}>", shown(path)));
            }
            if let (Some(name), Some(start)) = (meta("name"), meta("generateName")) {
                names.insert(name, format!("{start}*"));
            }
        }
        let mut normal = BTreeMap::new();
        for (path, object) in &self.by_path {
            let mut object = object.clone();
            let generation = object.get("metadata").and_then(|meta| meta.get("generation")).cloned();
            clean(&mut object, &mut String::new(), generation.as_ref(), &names, ignored);
            let generated = object.get("metadata").and_then(|meta| meta.get("generateName")).is_some();
            let key = match path.rsplit_once('/').filter(|_| generated) {
                Some((collection, name)) => {
                    let name = names.get(name).map_or(name, String::as_str);
                    // Objects with generated names are distinguished by their content.
                    format!("{collection}/{name} {object}")
                }
                None => path.clone(),
            };
            let same = (0..).map(|count| format!("{key}{}", "'".repeat(count)));
            let key = same.into_iter().find(|key| !normal.contains_key(key)).unwrap_or_default();
            normal.insert(key, object);
        }
        normal
    }
}

/// The fields of the metadata that differ from run to run.
const SERVERS_OWN: [&str; 7] = [
    "creationTimestamp",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

fn clean(
    value: &mut Value,
    path: &mut String,
    generation: Option<&Value>,
    names: &BTreeMap<&str, String>,
    ignored: &BTreeSet<String>,
) {
    match value {
        Value::Object(fields) => {
            if path == "metadata" {
                fields.retain(|field, _| !SERVERS_OWN.contains(&field.as_str()));
                if let Some(Value::Object(annotations)) = fields.get_mut("annotations") {
                    annotations.remove(TOUCHED);
                    if annotations.is_empty() {
                        fields.remove("annotations");
                    }
                }
            }
            for (field, inner) in fields.iter_mut() {
                if field == "observedGeneration" {
                    let current = generation.is_none_or(|generation| generation == inner);
                    *inner = Value::from(if current { "<current>" } else { "<old>" });
                }
                let length = path.len();
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(field);
                if ignored.contains(path.as_str()) {
                    *inner = Value::from("<ignored>");
                } else {
                    clean(inner, path, generation, names, ignored);
                }
                path.truncate(length);
            }
        }
        Value::Array(items) => {
            let length = path.len();
            path.push_str("[]");
            for item in items {
                clean(item, path, generation, names, ignored);
            }
            path.truncate(length);
        }
        Value::String(text) => {
            if let Some(name) = names.get(text.as_str()) {
                text.clone_from(name);
            } else if is_time(text) {
                "<time>".clone_into(text);
            }
        }
        _ => {}
    }
}

/// Whether a text is a time as RFC 3339 has it.
fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 20
        && bytes.len() <= 35
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && (bytes[4], bytes[7], bytes[10], bytes[13]) == (b'-', b'-', b'T', b':')
}

/// Returns an object as a person would name it.
pub(crate) fn shown(path: &str) -> String {
    let (path, content) = path.split_once(' ').unwrap_or((path, ""));
    let name = ObjectPath::parse(path).map_or_else(|| path.to_owned(), |object| object.to_string());
    if content.is_empty() { name } else { format!("{name} (generated name)") }
}

/// Returns how a state differs from the expected one.
pub(crate) fn differences(
    expected: &BTreeMap<String, Value>,
    found: &BTreeMap<String, Value>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, wanted) in expected {
        match found.get(path) {
            None => lines.push(format!("{} is missing", shown(path))),
            Some(value) if value != wanted => {
                let secret = ObjectPath::parse(path).is_some_and(|path| path.plural == "secrets");
                let mut fields = Vec::new();
                walk(wanted, value, &mut String::new(), secret, &mut fields);
                lines.push(format!("{}: {}", shown(path), fields.join("; ")));
            }
            Some(_) => {}
        }
    }
    for path in found.keys().filter(|path| !expected.contains_key(*path)) {
        lines.push(format!("{} should not exist", shown(path)));
    }
    lines
}

/// Returns the paths of all values that differ, for a list of fields to ignore.
pub(crate) fn differing_paths(
    one: &BTreeMap<String, Value>,
    other: &BTreeMap<String, Value>,
) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for (path, value) in one {
        if let Some(found) = other.get(path) {
            paths_of(value, found, &mut String::new(), &mut paths);
        }
    }
    paths
}

fn paths_of(one: &Value, other: &Value, path: &mut String, paths: &mut BTreeSet<String>) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            for (field, value) in one {
                let length = path.len();
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(field);
                paths_of(value, other.get(field).unwrap_or(&Value::Null), path, paths);
                path.truncate(length);
            }
        }
        (one, other) if one != other => {
            paths.insert(path.clone());
        }
        _ => {}
    }
}

/// Returns the fields that a write has changed, with their values, except values of secrets.
pub(crate) fn changed_fields(before: &Value, after: &Value) -> Vec<String> {
    let secret = after.get("kind").and_then(Value::as_str) == Some("Secret");
    let (mut before, mut after) = (before.clone(), after.clone());
    for object in [&mut before, &mut after] {
        if let Some(Value::Object(meta)) = object.get_mut("metadata") {
            for field in ["managedFields", "resourceVersion", "generation"] {
                meta.remove(field);
            }
        }
    }
    let mut fields = Vec::new();
    walk(&before, &after, &mut String::new(), secret, &mut fields);
    fields
}

fn walk(before: &Value, after: &Value, path: &mut String, secret: bool, fields: &mut Vec<String>) {
    if before == after || fields.len() > 6 {
        return;
    }
    let empty = Map::new();
    let parts = match (before, after) {
        (Value::Object(before), Value::Object(after)) => Some((before, after)),
        (Value::Null, Value::Object(after)) => Some((&empty, after)),
        (Value::Object(before), Value::Null) => Some((before, &empty)),
        _ => None,
    };
    let Some((before, after)) = parts else {
        let hidden = secret && (path.starts_with("data.") || path.starts_with("stringData."));
        let text = |value: &Value| match value {
            Value::Null => "unset".to_owned(),
            _ if hidden => "[hidden]".to_owned(),
            value => value.to_string().chars().take(60).collect(),
        };
        fields.push(format!("{path} {} → {}", text(before), text(after)));
        return;
    };
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let length = path.len();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        let value = |of: &Map<String, Value>| of.get(name).cloned().unwrap_or_default();
        walk(&value(before), &value(after), path, secret, fields);
        path.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn state(objects: &[(&str, Value)]) -> Objects {
        let by_path = objects.iter().map(|(path, object)| ((*path).to_owned(), object.clone())).collect();
        Objects { by_path }
    }

    #[test]
    fn identities_versions_and_times_are_no_difference() {
        let one = state(&[(
            "/api/v1/namespaces/a/pods/p-x1",
            json!({"metadata": {"name": "p-x1", "generateName": "p-", "uid": "u1", "resourceVersion": "5"},
                   "status": {"startTime": "2027-01-15T08:00:01Z"}}),
        )]);
        let other = state(&[(
            "/api/v1/namespaces/a/pods/p-y2",
            json!({"metadata": {"name": "p-y2", "generateName": "p-", "uid": "u2", "resourceVersion": "9"},
                   "status": {"startTime": "2027-01-15T08:02:01Z"}}),
        )]);
        let none = BTreeSet::new();
        assert_eq!(differences(&one.normal(&none), &other.normal(&none)), Vec::<String>::new());
    }

    #[test]
    fn differences_name_objects_and_fields() {
        let path = "/api/v1/namespaces/a/secrets/s";
        let object = |value: &str| json!({"metadata": {"name": "s"}, "data": {"k": value}});
        let (one, other) = (state(&[(path, object("eA=="))]), state(&[(path, object("eQ=="))]));
        let none = BTreeSet::new();
        let found = differences(&one.normal(&none), &other.normal(&none));
        assert_eq!(found, ["secrets a/s: data.k [hidden] → [hidden]"]);
        let ignored = ["data.k".to_owned()].into();
        assert!(differences(&one.normal(&ignored), &other.normal(&ignored)).is_empty());
        assert_eq!(differing_paths(&one.normal(&none), &other.normal(&none)), ignored);
        let gone = differences(&one.normal(&none), &Objects::default().normal(&none));
        assert_eq!(gone, ["secrets a/s is missing"]);
        let more = differences(&Objects::default().normal(&none), &one.normal(&none));
        assert_eq!(more, ["secrets a/s should not exist"]);
    }

    #[test]
    fn an_observed_generation_counts_as_current_or_old() {
        let path = "/apis/x/v1/namespaces/a/sites/s";
        let at = |generation: u32, observed: u32| {
            let object = json!({"metadata": {"name": "s", "generation": generation},
                                "status": {"observedGeneration": observed}});
            state(&[(path, object)]).normal(&BTreeSet::new())
        };
        assert_eq!(at(2, 2), at(5, 5));
        assert_ne!(at(2, 2), at(5, 4));
    }
}
