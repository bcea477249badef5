//! The resources of a definition.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::managed_fields;
use client_rs_machinery::{Json, Object, Str, Unstructured, collections::VecMap, compare_versions};
use client_rs_schema::definition::{Names, is_true, storage_version};
use client_rs_schema::{PrinterColumn, Scale, Schema, parse_path};

use super::{Converter, Custom};
use crate::object::{Info, SubInfo};

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

const VERBS: &[&str] = &["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const TERMINATING_VERBS: &[&str] = &["delete", "deletecollection", "get", "list", "watch"];
const SUB_VERBS: &[&str] = &["get", "patch", "update"];

/// The resources of a definition, one per served version.
pub(crate) fn resources(object: &Unstructured) -> Vec<(Info, Arc<Custom>)> {
    let nothing = Json::Null;
    let spec = object.object.get("spec").unwrap_or(&nothing);
    let names = Names::accepted(object);
    let group: Str = spec["group"].as_shared_str().cloned().unwrap_or_default();
    let namespaced = spec["scope"].as_str() == Some("Namespaced");
    let terminating = object.is_being_deleted() || is_true(object, "Terminating");
    let versions: Vec<&Json> = list(&spec["versions"]).collect();
    let name_of = |version: &Json| version["name"].as_shared_str().cloned().unwrap_or_default();
    let schemas: VecMap<Str, Schema> = versions
        .iter()
        .filter(|version| !version["schema"]["openAPIV3Schema"].is_null())
        .map(|version| (name_of(version), Schema::compile(&version["schema"]["openAPIV3Schema"])))
        .collect();
    let schemas = Arc::new(schemas);
    let preserves = spec["preserveUnknownFields"].as_bool() == Some(true);
    let merge = versions.iter().map(|version| {
        let schema = &version["schema"]["openAPIV3Schema"];
        (name_of(version), managed_fields::MergeSchema::from_structural(schema, preserves))
    });
    let merge = Arc::new(merge.collect::<VecMap<_, _>>());
    let storage = storage_version(object).unwrap_or_default();
    let converter = Converter::read(&spec["conversion"]);
    let served = versions.iter().filter(|version| version["served"].as_bool() == Some(true));
    served
        .map(|version| {
            let subresources = &version["subresources"];
            let (status, scale) = (!subresources["status"].is_null(), scale(&subresources["scale"]));
            let info = Info {
                group: group.clone(),
                version: name_of(version),
                kind: names.kind.clone(),
                list_kind: names.list_kind.clone(),
                plural: names.plural.clone(),
                singular: names.singular.clone(),
                namespaced,
                short_names: names.short_names.clone(),
                categories: names.categories.clone(),
                verbs: if terminating { TERMINATING_VERBS } else { VERBS },
                subresources: [
                    status.then(|| SubInfo {
                        name: "status",
                        group: group.clone(),
                        version: name_of(version),
                        kind: names.kind.clone(),
                        verbs: SUB_VERBS,
                    }),
                    scale.as_ref().map(|_| SubInfo {
                        name: "scale",
                        group: "autoscaling".into(),
                        version: "v1".into(),
                        kind: "Scale".into(),
                        verbs: SUB_VERBS,
                    }),
                ]
                .into_iter()
                .flatten()
                .collect(),
            };
            let custom = Custom {
                definition: object.name().into(),
                id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
                version: name_of(version),
                storage: storage.clone(),
                group: group.clone(),
                schemas: Arc::clone(&schemas),
                merge: Arc::clone(&merge),
                written: version["schema"]["openAPIV3Schema"].clone(),
                preserve_unknown: spec["preserveUnknownFields"].as_bool() == Some(true),
                scale,
                columns: PrinterColumn::all(version),
                selectable: selectable(version),
                warning: deprecation(&group, &names.kind, version, &versions),
                converter: converter.clone(),
                terminating,
            };
            (info, Arc::new(custom))
        })
        .collect()
}

fn scale(scale: &Json) -> Option<Scale> {
    let path = |key: &str| -> Option<Vec<String>> {
        let text = scale[key].as_str().filter(|text| !text.is_empty())?;
        Some(text.strip_prefix('.').unwrap_or(text).split('.').map(str::to_owned).collect())
    };
    Some(Scale {
        spec: path("specReplicasPath")?,
        status: path("statusReplicasPath")?,
        selector: path("labelSelectorPath"),
    })
}

fn selectable(version: &Json) -> Vec<(Str, JsonPath)> {
    list(&version["selectableFields"])
        .filter_map(|field| {
            let path = field["jsonPath"].as_str()?;
            Some((path.strip_prefix('.').unwrap_or(path).into(), parse_path(path)?))
        })
        .collect()
}

fn deprecation(group: &str, kind: &str, version: &Json, versions: &[&Json]) -> Option<String> {
    if version["deprecated"].as_bool() != Some(true) {
        return None;
    }
    if let Some(own) = version["deprecationWarning"].as_str() {
        return Some(own.to_owned());
    }
    let name = version["name"].as_str().unwrap_or_default();
    let message = format!("{group}/{name} {kind} is deprecated");
    let better = versions
        .iter()
        .filter(|other| {
            other["served"].as_bool() == Some(true) && other["deprecated"].as_bool() != Some(true)
        })
        .filter_map(|other| other["name"].as_str())
        .filter(|other| compare_versions(name, other).is_lt())
        .max_by(|a, b| compare_versions(a, b));
    Some(match better {
        Some(better) => format!("{message}; use {group}/{better} {kind}"),
        None => message,
    })
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}
