//! `OpenAPI` v3: which operations each path has, and their options.
//!
//! The schemas of the kinds are not in it yet: a client that asks what an operation takes finds it, one that asks what a
//! kind is made of does not.

use client_rs_machinery::{Json, json};

use super::discovery::{group_names, in_version, versions};
use crate::registry::{Catalog, Served};

/// `/openapi/v3`: where the document of each version is.
pub(crate) fn index(catalog: &Catalog) -> Json {
    let mut paths = vec![("api/v1".to_owned(), entry("api/v1"))];
    for group in group_names(catalog) {
        for version in versions(catalog, group) {
            let path = format!("apis/{group}/{version}");
            let entry = entry(&path);
            paths.push((path, entry));
        }
    }
    json!({"paths": paths.into_iter().collect::<Json>()})
}

/// The document of a version; `None` for one that is not served.
pub(crate) fn document(catalog: &Catalog, path: &str, release: &str) -> Option<Json> {
    let segments: Vec<&str> = path.split('/').collect();
    let (group, version) = match segments.as_slice() {
        ["api", version] => ("", *version),
        ["apis", group, version] => (*group, *version),
        _ => return None,
    };
    let mut paths: Vec<(String, Json)> = Vec::new();
    for served in in_version(catalog, group, version) {
        let scope = if served.info.namespaced { "/namespaces/{namespace}" } else { "" };
        let base = format!("/{path}{scope}/{}", served.info.plural);
        let collection = [("post", "create"), ("get", "list"), ("delete", "deletecollection")];
        let single = [("get", "get"), ("put", "update"), ("patch", "patch"), ("delete", "delete")];
        paths.extend(item(served, &base, &collection, served.info.verbs, served.info.kind));
        let base = format!("{base}/{{name}}");
        paths.extend(item(served, &base, &single, served.info.verbs, served.info.kind));
        for sub in served.info.subresources {
            let base = format!("{base}/{}", sub.name);
            let verbs = [("get", "get"), ("put", "update"), ("patch", "patch"), ("post", "create")];
            paths.extend(item(served, &base, &verbs, sub.verbs, sub.kind));
        }
    }
    if paths.is_empty() {
        return None;
    }
    Some(json!({
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": release},
        "paths": paths.into_iter().collect::<Json>(),
        "components": {"schemas": {}},
    }))
}

fn entry(path: &str) -> Json {
    json!({"serverRelativeURL": format!("/openapi/v3/{path}")})
}

fn item(
    served: &Served,
    path: &str,
    methods: &[(&str, &str)],
    verbs: &[&str],
    kind: &str,
) -> Option<(String, Json)> {
    let of = methods.iter().filter(|(_, verb)| verbs.contains(verb));
    let operations: Vec<(String, Json)> =
        of.map(|(method, verb)| ((*method).to_owned(), operation(served, verb, kind))).collect();
    (!operations.is_empty()).then(|| (path.to_owned(), operations.into_iter().collect()))
}

fn operation(served: &Served, verb: &str, kind: &str) -> Json {
    let options: &[(&str, &str)] = match verb {
        "create" | "update" => {
            &[("dryRun", "string"), ("fieldManager", "string"), ("fieldValidation", "string")]
        }
        "patch" => &[
            ("dryRun", "string"),
            ("fieldManager", "string"),
            ("fieldValidation", "string"),
            ("force", "boolean"),
        ],
        "list" | "deletecollection" => &[
            ("allowWatchBookmarks", "boolean"),
            ("continue", "string"),
            ("fieldSelector", "string"),
            ("labelSelector", "string"),
            ("limit", "integer"),
            ("resourceVersion", "string"),
            ("resourceVersionMatch", "string"),
            ("sendInitialEvents", "boolean"),
            ("timeoutSeconds", "integer"),
            ("watch", "boolean"),
        ],
        "delete" => &[
            ("dryRun", "string"),
            ("gracePeriodSeconds", "integer"),
            ("orphanDependents", "boolean"),
            ("propagationPolicy", "string"),
        ],
        _ => &[],
    };
    let parameters: Vec<Json> = options
        .iter()
        .map(|(name, kind)| json!({"name": *name, "in": "query", "schema": {"type": *kind, "uniqueItems": true}}))
        .collect();
    let action = match verb {
        "create" => "post",
        "update" => "put",
        other => other,
    };
    json!({
        "parameters": parameters,
        "responses": {"200": {"description": "OK"}},
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind":
            {"group": served.info.group, "version": served.info.version, "kind": kind},
    })
}
