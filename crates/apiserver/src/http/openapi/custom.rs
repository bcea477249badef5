//! Custom resources in `OpenAPI` documents.

use client_rs_machinery::{
    Json, Map,
    collections::{VecMap, VecSet},
    json,
};

use super::definitions::{Dialect, OBJECT_META};
use super::paths::built_in;
use crate::registry::Served;

const LIST_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// The descriptions of `apiVersion`, `kind` and `metadata`. Tools look for the words at their start.
const OF_OBJECT: [&str; 3] = [
    "APIVersion defines the group and version of the object.",
    "Kind is the kind of the object.",
    "Standard object's metadata: name, labels and others.",
];
const OF_LIST: [&str; 3] = [
    "APIVersion defines the group and version of the list.",
    "Kind is the kind of the list.",
    "Standard list metadata: the resource version, and how to continue.",
];
const OF_EMBEDDED: [&str; 3] = [
    "apiVersion defines the group and version of the embedded object.",
    "kind is the kind of the embedded object.",
    "Standard object's metadata: name, labels and others.",
];

/// The name of a kind's definition: the name of a type, or for a custom resource its reversed group, version and
/// kind.
pub(super) fn name_of(served: &Served, kind: &(String, String, String)) -> String {
    if let Some(name) =
        built_in(kind).filter(|_| served.custom().is_none() || kind.0 != served.info.group.as_str())
    {
        return name.to_owned();
    }
    let mut parts: Vec<&str> = kind.0.split('.').collect();
    parts.reverse();
    format!("{}.{}.{}", parts.join("."), kind.1, kind.2)
}

/// The definitions of custom resources and of their lists.
pub(super) fn definitions(
    resources: &[&Served],
    dialect: Dialect,
    wanted: &mut VecSet<String>,
) -> VecMap<String, Json> {
    let mut all = VecMap::new();
    for served in resources {
        let Some(custom) = served.custom() else { continue };
        wanted.extend([OBJECT_META.to_owned(), LIST_META.to_owned()]);
        let info = &served.info;
        let kind = |kind: &str| (info.group.to_string(), info.version.to_string(), kind.to_owned());
        let gvk = |kind: &str| json!([{"group": info.group.as_str(), "kind": kind, "version": info.version.as_str()}]);
        let name = name_of(served, &kind(&info.kind));
        let open = custom.written.as_map().is_none() || is_set(&custom.written, PRESERVE);
        let mut schema = match dialect {
            // Clients of v2 can't validate an object with unknown fields, so its fields are left out.
            Dialect::V2 if open => json!({"type": "object"}),
            Dialect::V2 => older(&custom.written),
            Dialect::V3 if custom.written.as_map().is_none() => {
                json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
            }
            Dialect::V3 => newer(&custom.written),
        };
        if dialect == Dialect::V3 || !open {
            complete(&mut schema, OBJECT_META, dialect, OF_OBJECT);
        }
        if let Some(map) = schema.as_map_mut() {
            map.insert("x-kubernetes-group-version-kind", gvk(&info.kind));
        }
        let items = json!({
            "description": format!("List of {}.", info.plural), "type": "array", "items": dialect.reference(&name),
        });
        let mut list = json!({
            "description": format!("{} is a list of {}.", info.list_kind, info.kind),
            "type": "object", "required": ["items"], "properties": {"items": items},
        });
        complete(&mut list, LIST_META, dialect, OF_LIST);
        if let Some(map) = list.as_map_mut() {
            map.insert("x-kubernetes-group-version-kind", gvk(&info.list_kind));
        }
        all.insert(name_of(served, &kind(&info.list_kind)), list);
        all.insert(name, schema);
    }
    all
}

/// Adds the fields that every object has, with descriptions of `apiVersion`, `kind` and `metadata`.
fn complete(schema: &mut Json, meta: &str, dialect: Dialect, meanings: [&str; 3]) {
    let Some(map) = schema.as_map_mut() else { return };
    let properties = map.get_or_insert_with("properties", || Json::EMPTY_MAP);
    if let Some(properties) = properties.as_map_mut() {
        for (name, meaning) in ["apiVersion", "kind"].into_iter().zip(meanings) {
            properties.insert(name, json!({"type": "string", "description": meaning}));
        }
        let reference = dialect.reference(meta);
        let mut meta = match dialect {
            Dialect::V2 => reference,
            Dialect::V3 => json!({"allOf": [reference]}),
        };
        if let Some(map) = meta.as_map_mut() {
            map.insert("description", meanings[2].into());
        }
        properties.insert("metadata", meta);
    }
}

/// Converts a schema to `OpenAPI` v2: removes keywords that v2 does not have, and the content of values that clients of v2
/// can't validate.
fn older(schema: &Json) -> Json {
    let Some(from) = schema.as_map() else { return schema.clone() };
    let open = is_set(schema, PRESERVE) || is_set(schema, "nullable");
    let mut map: Map<Json> = Map::new();
    for (key, value) in from {
        match key.as_str() {
            "oneOf" | "anyOf" | "allOf" | "not" | "nullable" | "default" => {}
            "type" if open || is_set(schema, INT_OR_STRING) => {}
            "items" | "properties" | "additionalProperties" if open => {}
            _ => drop(map.insert(key.clone(), within(key, value, older))),
        }
    }
    let mut schema = Json::Map(map);
    if !open {
        embed(&mut schema, Dialect::V2);
    }
    schema
}

/// Completes a schema for `OpenAPI` v3: the parts that its extensions imply.
fn newer(schema: &Json) -> Json {
    let Some(from) = schema.as_map() else { return schema.clone() };
    let mut map: Map<Json> =
        from.iter().map(|(key, value)| (key.clone(), within(key, value, newer))).collect();
    if is_set(schema, INT_OR_STRING) && map.get("anyOf").is_none() {
        map.insert("anyOf", json!([{"type": "integer"}, {"type": "string"}]));
    }
    let mut schema = Json::Map(map);
    embed(&mut schema, Dialect::V3);
    schema
}

/// Applies a conversion to the schemas below a keyword.
fn within(key: &str, value: &Json, convert: fn(&Json) -> Json) -> Json {
    match (key, value.as_map()) {
        ("items" | "additionalProperties", Some(_)) => convert(value),
        ("properties", Some(properties)) => {
            properties.iter().map(|(key, value)| (key.clone(), convert(value))).collect()
        }
        _ => value.clone(),
    }
}

/// Adds the fields of an embedded object.
fn embed(schema: &mut Json, dialect: Dialect) {
    if !is_set(schema, "x-kubernetes-embedded-resource") {
        return;
    }
    complete(schema, OBJECT_META, dialect, OF_EMBEDDED);
    let Some(map) = schema.as_map_mut() else { return };
    let mut required: Vec<Json> =
        map.get("required").and_then(Json::as_list).map(|all| all.to_vec()).unwrap_or_default();
    for name in ["kind", "apiVersion"] {
        if !required.iter().any(|known| known.as_str() == Some(name)) {
            required.push(name.into());
        }
    }
    map.insert("required", required.into());
}

fn is_set(schema: &Json, keyword: &str) -> bool {
    schema.get(keyword).and_then(Json::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_clients_are_not_given_what_they_cannot_validate() {
        let schema = json!({"type": "object", "properties": {
            "any": {"type": "string", "oneOf": [{"pattern": "x"}]},
            "either": {"x-kubernetes-int-or-string": true, "pattern": "a"},
            "none": {"type": "string", "nullable": true},
            "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {}}},
            "list": {"type": "array", "items": {"type": "string", "default": "z"}},
        }});
        let expected = json!({"type": "object", "properties": {
            "any": {"type": "string"},
            "either": {"x-kubernetes-int-or-string": true, "pattern": "a"},
            "none": {},
            "open": {"x-kubernetes-preserve-unknown-fields": true},
            "list": {"type": "array", "items": {"type": "string"}},
        }});
        assert_eq!(older(&schema), expected);
    }

    #[test]
    fn extensions_imply_parts_of_a_schema() {
        let either = newer(&json!({"x-kubernetes-int-or-string": true}));
        assert_eq!(either["anyOf"], json!([{"type": "integer"}, {"type": "string"}]));
        let embedded =
            json!({"type": "object", "required": ["spec"], "x-kubernetes-embedded-resource": true});
        for (made, dialect) in [(newer(&embedded), Dialect::V3), (older(&embedded), Dialect::V2)] {
            assert_eq!(made["required"], json!(["spec", "kind", "apiVersion"]), "{dialect:?}");
            assert_eq!(made["properties"]["kind"]["type"].as_str(), Some("string"), "{dialect:?}");
            assert!(made["properties"].get("metadata").is_some(), "{dialect:?}");
        }
    }
}
