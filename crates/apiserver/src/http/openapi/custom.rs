//! Custom resources in `OpenAPI` documents.

use std::collections::{BTreeMap, BTreeSet};

use client_rs_machinery::{Json, Map, json};

use super::definitions::Dialect;
use super::paths::built_in;
use crate::generated::facts;
use crate::registry::Served;

const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const LIST_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

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
    wanted: &mut BTreeSet<String>,
) -> BTreeMap<String, Json> {
    let mut all = BTreeMap::new();
    for served in resources {
        let Some(custom) = served.custom() else { continue };
        wanted.extend([OBJECT_META.to_owned(), LIST_META.to_owned()]);
        let info = &served.info;
        let kind = |kind: &str| (info.group.to_string(), info.version.to_string(), kind.to_owned());
        let gvk = |kind: &str| json!([{"group": info.group.as_str(), "kind": kind, "version": info.version.as_str()}]);
        let name = name_of(served, &kind(&info.kind));
        let mut schema = match dialect {
            Dialect::V3 => custom.written.clone(),
            Dialect::V2 => older(&custom.written),
        };
        if schema.as_map().is_none() {
            schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        }
        complete(&mut schema, OBJECT_META, dialect);
        if let Some(map) = schema.as_map_mut() {
            map.insert("x-kubernetes-group-version-kind", gvk(&info.kind));
        }
        let mut list = json!({
            "type": "object", "required": ["items"],
            "properties": {"items": {"type": "array", "items": dialect.reference(&name)}},
        });
        complete(&mut list, LIST_META, dialect);
        if let Some(map) = list.as_map_mut() {
            map.insert("x-kubernetes-group-version-kind", gvk(&info.list_kind));
        }
        all.insert(name_of(served, &kind(&info.list_kind)), list);
        all.insert(name, schema);
    }
    all
}

/// Adds the fields that every object has.
fn complete(schema: &mut Json, meta: &str, dialect: Dialect) {
    let meaning = |name: &str| facts::of_convention(name).unwrap_or_default();
    let Some(map) = schema.as_map_mut() else { return };
    let properties = map.get_or_insert_with("properties", || Json::EMPTY_MAP);
    if let Some(properties) = properties.as_map_mut() {
        for name in ["apiVersion", "kind"] {
            properties.insert(name, json!({"type": "string", "description": meaning(name)}));
        }
        let reference = dialect.reference(meta);
        let mut meta = match dialect {
            Dialect::V2 => reference,
            Dialect::V3 => json!({"allOf": [reference]}),
        };
        if let Some(map) = meta.as_map_mut() {
            map.insert("description", meaning("metadata").into());
        }
        properties.insert("metadata", meta);
    }
}

/// Converts a schema to `OpenAPI` v2: removes keywords that v2 does not have.
fn older(schema: &Json) -> Json {
    let Some(from) = schema.as_map() else { return schema.clone() };
    let flag = |key: &str| from.get(key).and_then(Json::as_bool) == Some(true);
    let (preserves, nullable) = (flag("x-kubernetes-preserve-unknown-fields"), flag("nullable"));
    let mut map: Map<Json> = Map::new();
    for (key, value) in from {
        match key.as_str() {
            "oneOf" | "anyOf" | "allOf" | "not" | "nullable" | "default" => {}
            "type" if nullable || flag("x-kubernetes-int-or-string") => {}
            "items" | "properties" | "additionalProperties" if preserves || nullable => {}
            "items" => drop(map.insert("items", older(value))),
            "additionalProperties" if value.as_map().is_some() => {
                drop(map.insert("additionalProperties", older(value)));
            }
            "properties" => {
                let properties = value.as_map().into_iter().flatten();
                map.insert(
                    "properties",
                    properties.map(|(key, value)| (key.clone(), older(value))).collect(),
                );
            }
            _ => drop(map.insert(key.clone(), value.clone())),
        }
    }
    Json::Map(map)
}
