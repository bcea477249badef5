//! The definition of a custom resource: its defaults, its rules and what it makes the server serve.

mod conversion;
mod default_values;
mod field_path;
mod internal;
mod openapi;
mod rule_limits;
mod rule_types;
mod spec;
mod status;
mod structural;
mod warnings;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::managed_fields;
use client_rs_machinery::{FieldError, Json, Object, Str, Unstructured, compare_versions, json};

use super::{Column, Custom, Scale, Schema, simple_path};
use crate::admission::Converter;
use crate::registry::{Info, SubInfo};

pub(crate) use status::{CLEANUP, Names, condition, is_true, set_condition};
pub(crate) use warnings::warnings;

static NULL: Json = Json::Null;
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

const VERBS: &[&str] = &["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const TERMINATING_VERBS: &[&str] = &["delete", "deletecollection", "get", "list", "watch"];
const SUB_VERBS: &[&str] = &["get", "patch", "update"];

/// Fills in what a definition does not say.
pub(crate) fn default(object: &mut Unstructured) {
    let kind = at(object, &["spec", "names", "kind"]).as_str().unwrap_or_default().to_owned();
    let empty = |object: &Unstructured, key: &str| {
        at(object, &["spec", "names", key]).as_str().unwrap_or_default().is_empty()
    };
    if empty(object, "singular") && !kind.is_empty() {
        drop(object.set_nested(&["spec", "names", "singular"], kind.to_lowercase()));
    }
    if empty(object, "listKind") && !kind.is_empty() {
        drop(object.set_nested(&["spec", "names", "listKind"], format!("{kind}List")));
    }
    if at(object, &["spec", "conversion"]).is_null() {
        drop(object.set_nested(&["spec", "conversion"], json!({"strategy": "None"})));
    }
    let service = ["spec", "conversion", "webhook", "clientConfig", "service"];
    if !at(object, &service).is_null() && at(object, &service)["port"].is_null() {
        drop(object.set_nested(&[&service[..], &["port"]].concat(), 443));
    }
}

/// Adds the version that objects are stored in to those that they were ever stored in.
pub(crate) fn note_storage(object: &mut Unstructured) {
    let Some(storage) = storage_version(object) else { return };
    let known: Vec<Json> =
        at(object, &["status", "storedVersions"]).as_list().map(|all| all.to_vec()).unwrap_or_default();
    if !known.contains(&Json::from(&storage)) {
        let all: Vec<Json> = known.into_iter().chain([Json::from(&storage)]).collect();
        drop(object.set_nested(&["status", "storedVersions"], Json::from(all)));
    }
}

/// What is wrong with a definition, or with its change.
pub(crate) fn check(object: &Unstructured, old: Option<&Unstructured>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let spec = at(object, &["spec"]);
    if old.is_none() {
        let text = |path: &[&str]| at(object, path).as_str().unwrap_or_default();
        let wanted = format!("{}.{}", text(&["spec", "names", "plural"]), text(&["spec", "group"]));
        if object.name() != wanted {
            let why = "must be spec.names.plural+\".\"+spec.group";
            errors.push(FieldError::invalid("metadata.name", object.name(), why));
        }
    }
    errors.extend(spec::check(spec, old.map(|old| at(old, &["spec"]))));
    if let Some(old) = old {
        errors.extend(spec::check_update(spec, at(old, &["spec"]), is_true(old, "Established")));
    }
    errors.extend(status::check(object));
    errors.extend(spec::approval(object, old));
    let preserves = |of: &Unstructured| at(of, &["spec", "preserveUnknownFields"]).as_bool() == Some(true);
    if preserves(object) && !old.is_some_and(preserves) {
        let why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        errors.push(FieldError::invalid_json("spec.preserveUnknownFields", "true", why));
    }
    errors
}

/// What is wrong with a change of a definition's status.
pub(crate) fn check_status(object: &Unstructured) -> Vec<FieldError> {
    status::names_errors(object)
}

/// The resources that a definition makes, one a served version.
pub(crate) fn resources(object: &Unstructured) -> Vec<(Info, Arc<Custom>)> {
    let spec = at(object, &["spec"]);
    let names = Names::accepted(object);
    let group: Str = spec["group"].as_shared_str().cloned().unwrap_or_default();
    let namespaced = spec["scope"].as_str() == Some("Namespaced");
    let terminating = object.is_being_deleted() || is_true(object, "Terminating");
    let versions: Vec<&Json> = list(&spec["versions"]).collect();
    let name_of = |version: &Json| version["name"].as_shared_str().cloned().unwrap_or_default();
    let schemas: BTreeMap<Str, Schema> = versions
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
    let merge = Arc::new(merge.collect::<BTreeMap<_, _>>());
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
                columns: Column::all(version),
                selectable: selectable(version),
                warning: deprecation(&group, &names.kind, version, &versions),
                converter: converter.clone(),
                terminating,
            };
            (info, Arc::new(custom))
        })
        .collect()
}

/// The version that objects are stored in.
fn storage_version(object: &Unstructured) -> Option<Str> {
    let is_it = |version: &&Json| version["storage"].as_bool() == Some(true);
    list(&at(object, &["spec"])["versions"]).find(is_it)?["name"].as_shared_str().cloned()
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
            Some((path.strip_prefix('.').unwrap_or(path).into(), simple_path(path)?))
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

fn at<'o>(object: &'o Unstructured, path: &[&str]) -> &'o Json {
    object.nested(path).ok().flatten().unwrap_or(&NULL)
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

fn entries(value: &Json) -> impl Iterator<Item = (&Str, &Json)> {
    value.as_map().into_iter().flatten()
}
