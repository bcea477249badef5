//! `OpenAPI`: every kind, field, type and operation, as the real server serves them. Descriptions are our own: the
//! facts about a type or a field, as sentences.

mod custom;
mod definitions;
mod own_paths;
mod paths;
mod protobuf;

use std::hash::{DefaultHasher, Hash, Hasher};

use client_rs_machinery::{Json, collections::VecSet, json};

use super::discovery::{group_names, in_version, versions};
use super::reply::Reply;
use crate::registry::{Catalog, Served};
use definitions::Dialect;

/// The version in the documents.
const RELEASE: &str = "1.37";
const PROTOBUF_V2: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// Handles a request below `/openapi`; `None` for an unknown path.
pub(crate) fn answer(catalog: &Catalog, path: &str, accept: &str) -> Option<Reply> {
    match path {
        "/openapi/v2" => {
            let document = document_v2(catalog);
            if !accept.contains("proto-openapi.spec.v2") {
                return Some(Reply::json(&document));
            }
            let mut reply = Reply::json(&Json::Null);
            reply.content_type = PROTOBUF_V2;
            reply.body = protobuf::document(&document);
            Some(reply)
        }
        "/openapi/v3" => Some(Reply::json(&index(catalog))),
        other => Some(Reply::json(&document_v3(catalog, other.strip_prefix("/openapi/v3/")?)?)),
    }
}

/// `/openapi/v3`: the paths of the documents of all versions. The hash in a path changes with the document, so
/// clients can cache it.
fn index(catalog: &Catalog) -> Json {
    let mut paths = vec!["api/v1".to_owned()];
    for group in group_names(catalog) {
        paths.extend(versions(catalog, group).into_iter().map(|version| format!("apis/{group}/{version}")));
    }
    let entries = paths.into_iter().map(|path| {
        let hash = hash(catalog, &path);
        let url = format!("/openapi/v3/{path}?hash={hash:016X}");
        (path, json!({"serverRelativeURL": url}))
    });
    json!({"paths": entries.collect::<Json>()})
}

/// The hash of the inputs of a document: the release and the definitions.
fn hash(catalog: &Catalog, path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (RELEASE, definitions::revision(), path).hash(&mut hasher);
    let (group, version) = split(path).unwrap_or_default();
    for served in in_version(catalog, group, version) {
        served.info.plural.hash(&mut hasher);
        if let Some(custom) = served.custom() {
            (custom.written.to_vec(), custom.terminating, served.info.kind.as_str()).hash(&mut hasher);
            served.info.subresources.iter().for_each(|sub| sub.name.hash(&mut hasher));
        }
    }
    hasher.finish()
}

fn split(path: &str) -> Option<(&str, &str)> {
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["api", version] => Some(("", version)),
        ["apis", group, version] => Some((group, version)),
        _ => None,
    }
}

/// The document of a version; `None` for a version that is not served.
fn document_v3(catalog: &Catalog, path: &str) -> Option<Json> {
    let (group, version) = split(path)?;
    let resources: Vec<&Served> = in_version(catalog, group, version).map(|served| &**served).collect();
    let custom = resources.first()?.custom().is_some();
    let mut wanted = VecSet::new();
    let mut paths = Vec::new();
    if !custom {
        paths.push(paths::resources(path, Dialect::V3, &mut wanted));
    }
    for served in &resources {
        paths.extend(paths::of(served, path, Dialect::V3, &mut wanted));
    }
    let own = custom::definitions(&resources, Dialect::V3, &mut wanted);
    let everywhere = [("", "v1"), (group, version)];
    let mut schemas = definitions::all(wanted, Dialect::V3, &everywhere);
    schemas.extend(own);
    let info = if custom {
        json!({"title": "Kubernetes CRD Swagger", "version": "v0.1.0"})
    } else {
        json!({"title": "Kubernetes", "version": RELEASE})
    };
    let token = json!({
        "type": "apiKey", "description": "Bearer Token authentication", "name": "authorization", "in": "header",
    });
    Some(json!({
        "openapi": "3.0.0", "info": info, "paths": paths.into_iter().collect::<Json>(),
        "components": {"schemas": schemas.into_iter().collect::<Json>(), "securitySchemes": {"BearerToken": token}},
    }))
}

/// The `OpenAPI` v2 document.
fn document_v2(catalog: &Catalog) -> Json {
    let mut wanted = VecSet::new();
    let mut paths = Vec::new();
    let mut groups = vec![""];
    groups.extend(group_names(catalog));
    let mut everywhere = Vec::new();
    for group in groups {
        for version in versions(catalog, group) {
            everywhere.push((group, version));
            let base =
                if group.is_empty() { format!("api/{version}") } else { format!("apis/{group}/{version}") };
            let built_in = in_version(catalog, group, version).any(|served| served.custom().is_none());
            if built_in {
                paths.push(paths::resources(&base, Dialect::V2, &mut wanted));
            }
            for served in in_version(catalog, group, version) {
                paths.extend(paths::of(served, &base, Dialect::V2, &mut wanted));
            }
        }
    }
    paths.extend(own_paths::all(catalog, &mut wanted));
    let all: Vec<&Served> = catalog.all().iter().map(|served| &**served).collect();
    let own = custom::definitions(&all, Dialect::V2, &mut wanted);
    let mut schemas = definitions::all(wanted, Dialect::V2, &everywhere);
    schemas.extend(own);
    let token = json!({
        "description": "Bearer Token authentication", "type": "apiKey", "name": "authorization", "in": "header",
    });
    json!({
        "swagger": "2.0", "info": {"title": "Kubernetes", "version": RELEASE},
        "paths": paths.into_iter().collect::<Json>(), "definitions": schemas.into_iter().collect::<Json>(),
        "securityDefinitions": {"BearerToken": token}, "security": [{"BearerToken": []}],
    })
}
