//! Operations in `OpenAPI` documents.

use client_rs_machinery::{Json, collections::VecSet, json};

use super::custom;
use super::definitions::{self, Dialect};
use crate::registry::Served;

const STATUS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
const DELETE_OPTIONS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
const PATCH: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
const API_RESOURCES: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList";
const WATCH_EVENT: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent";
const WRITE: [(&str, &str); 3] =
    [("dryRun", "string"), ("fieldManager", "string"), ("fieldValidation", "string")];
const LIST: [(&str, &str); 11] = [
    ("allowWatchBookmarks", "boolean"),
    ("continue", "string"),
    ("fieldSelector", "string"),
    ("labelSelector", "string"),
    ("limit", "integer"),
    ("resourceVersion", "string"),
    ("resourceVersionMatch", "string"),
    ("sendInitialEvents", "boolean"),
    ("shardSelector", "string"),
    ("timeoutSeconds", "integer"),
    ("watch", "boolean"),
];
const DELETE: [(&str, &str); 5] = [
    ("dryRun", "string"),
    ("gracePeriodSeconds", "integer"),
    ("ignoreStoreReadErrorWithClusterBreakingPotential", "boolean"),
    ("orphanDependents", "boolean"),
    ("propagationPolicy", "string"),
];
pub(super) const MEDIA: [&str; 3] =
    ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const STREAMS: [&str; 2] =
    ["application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];
const PATCHES: [&str; 4] = [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
];

/// An operation, in any dialect.
struct Operation<'s> {
    verb: &'static str,
    id: String,
    options: Vec<(&'static str, &'static str)>,
    body: Option<(String, bool)>,
    answer: String,
    codes: &'static [&'static str],
    served: &'s Served,
    kind: (String, String, String),
    connects: bool,
}

/// The path that lists a version's resources.
pub(super) fn resources(base: &str, dialect: Dialect, wanted: &mut VecSet<String>) -> (String, Json) {
    wanted.insert(API_RESOURCES.to_owned());
    let (group, version) = super::split(base).unwrap_or_default();
    let id = format!("get{}{}APIResources", title(group), upper(version));
    let mut operation = json!({"tags": [tag(group, version)], "operationId": id});
    let reference = dialect.reference(API_RESOURCES);
    if let Some(map) = operation.as_map_mut() {
        match dialect {
            Dialect::V2 => {
                map.insert("consumes", texts(&MEDIA));
                map.insert("produces", texts(&MEDIA));
                map.insert("schemes", json!(["https"]));
                map.insert(
                    "responses",
                    json!({"200": {"description": "OK", "schema": reference}, "401": {"description": "Unauthorized"}}),
                );
            }
            Dialect::V3 => {
                let ok = json!({"description": "OK", "content": content(&MEDIA, &reference)});
                map.insert("responses", json!({"200": ok, "401": {"description": "Unauthorized"}}));
            }
        }
    }
    (format!("/{base}/"), json!({"get": operation}))
}

/// The paths of a resource.
pub(super) fn of(
    served: &Served,
    base: &str,
    dialect: Dialect,
    wanted: &mut VecSet<String>,
) -> Vec<(String, Json)> {
    let info = &served.info;
    let scope = if info.namespaced { "/namespaces/{namespace}" } else { "" };
    let mut paths = Vec::new();
    let collection = format!("/{base}{scope}/{}", info.plural);
    let own = (info.group.to_string(), info.version.to_string(), info.kind.to_string());
    let can = |verb: &str| info.verbs.contains(&verb);
    let mut add =
        |path: String, verbs: &[&'static str], sub: Option<&crate::registry::SubInfo>, everywhere: bool| {
            let operations: Vec<(String, Json)> = verbs
                .iter()
                .map(|verb| {
                    let mut operation = operation(served, verb, &own, sub, everywhere);
                    if path.ends_with("{path}") {
                        operation.id.push_str("WithPath");
                    }
                    wanted.extend(Some(operation.answer.clone()).filter(|name| !name.is_empty()));
                    wanted.extend(operation.body.iter().map(|(name, _)| name.clone()));
                    (method(verb).to_owned(), operation.written(dialect))
                })
                .collect();
            if !operations.is_empty() {
                let (operations, common) = hoisted(operations);
                let mut item: Json = operations.into_iter().collect();
                if let Some(map) = item.as_map_mut() {
                    map.insert("parameters", path_parameters(&path, dialect, common));
                }
                paths.push((path, item));
            }
        };
    let filter = |verbs: &[&'static str]| -> Vec<&'static str> {
        verbs.iter().copied().filter(|verb| can(verb)).collect()
    };
    if can("watch") && served.custom().is_none() {
        // The deprecated paths of watches.
        let below = format!("/{base}/watch{scope}/{}", info.plural);
        add(below.clone(), &["watchlist"], None, false);
        add(format!("{below}/{{name}}"), &["watch"], None, false);
        if info.namespaced {
            add(format!("/{base}/watch/{}", info.plural), &["watchlist"], None, true);
        }
    }
    add(collection.clone(), &filter(&["list", "create", "deletecollection"]), None, false);
    let single = format!("{collection}/{{name}}");
    add(single.clone(), &filter(&["get", "update", "delete", "patch"]), None, false);
    for sub in &info.subresources {
        let mut verbs: Vec<&'static str> = ["get", "update", "create", "patch", "delete"]
            .into_iter()
            .filter(|verb| sub.verbs.contains(verb))
            .collect();
        let path = format!("{single}/{}", sub.name);
        // A connection that takes every method takes these too, and a path.
        if is_connection(sub) && verbs.contains(&"delete") {
            verbs.extend(["head", "options"]);
            add(format!("{path}/{{path}}"), &verbs, Some(sub), false);
        }
        add(path, &verbs, Some(sub), false);
    }
    if info.namespaced && can("list") {
        add(format!("/{base}/{}", info.plural), &["list"], None, true);
    }
    paths
}

/// Moves the parameters that all operations of a path share to the path.
fn hoisted(mut operations: Vec<(String, Json)>) -> (Vec<(String, Json)>, Vec<Json>) {
    let of = |operation: &Json| operation["parameters"].as_list().map(|all| all.to_vec()).unwrap_or_default();
    let first = operations.first().map(|(_, operation)| of(operation)).unwrap_or_default();
    let common: Vec<Json> = first
        .into_iter()
        .filter(|parameter| parameter["in"].as_str() == Some("query"))
        .filter(|parameter| operations.iter().all(|(_, operation)| of(operation).contains(parameter)))
        .collect();
    for (_, operation) in &mut operations {
        let left: Vec<Json> = of(operation).into_iter().filter(|own| !common.contains(own)).collect();
        if let Some(map) = operation.as_map_mut() {
            map.remove("parameters");
            if !left.is_empty() {
                map.insert("parameters", left.into());
            }
        }
    }
    (operations, common)
}

fn method(verb: &str) -> &'static str {
    match verb {
        "create" => "post",
        "update" => "put",
        "patch" => "patch",
        "delete" | "deletecollection" => "delete",
        "head" => "head",
        "options" => "options",
        _ => "get",
    }
}

/// Whether a subresource is a connection: its options are not an object.
fn is_connection(sub: &crate::registry::SubInfo) -> bool {
    sub.kind.ends_with("Options")
}

fn operation<'s>(
    served: &'s Served,
    verb: &'static str,
    own: &(String, String, String),
    sub: Option<&crate::registry::SubInfo>,
    everywhere: bool,
) -> Operation<'s> {
    let info = &served.info;
    let kind = sub.map_or_else(
        || own.clone(),
        |sub| (sub.group.to_string(), sub.version.to_string(), sub.kind.to_string()),
    );
    // The options of a connect request are not objects.
    let connects = sub.is_some_and(is_connection);
    let name = if connects { String::new() } else { custom::name_of(served, &kind) };
    let list = custom::name_of(served, &(own.0.clone(), own.1.clone(), info.list_kind.to_string()));
    let action = match verb {
        _ if connects => "connect",
        "get" => "read",
        "update" => "replace",
        "deletecollection" => "delete",
        "watchlist" => "watch",
        other => other,
    };
    let by = if connects { upper(method(verb)) } else { String::new() };
    let listed = if verb == "watchlist" { "List" } else { "" };
    let collection = if verb == "deletecollection" { "Collection" } else { "" };
    let namespaced = if info.namespaced && !everywhere { "Namespaced" } else { "" };
    let below = sub.map(|sub| upper(sub.name)).unwrap_or_default();
    let all = if everywhere { "ForAllNamespaces" } else { "" };
    let id = format!(
        "{action}{}{}{collection}{by}{namespaced}{}{listed}{below}{all}",
        title(&info.group),
        upper(&info.version),
        info.kind
    );
    let (options, body, answer, codes): (Vec<_>, _, _, &[&str]) = match verb {
        _ if connects => (Vec::new(), None, name, &["200"]),
        "watch" | "watchlist" => (LIST.to_vec(), None, WATCH_EVENT.to_owned(), &["200"]),
        "create" => (WRITE.to_vec(), Some((name.clone(), true)), name, &["200", "201", "202"]),
        "update" => (WRITE.to_vec(), Some((name.clone(), true)), name, &["200", "201"]),
        "patch" => {
            let options = WRITE.iter().copied().chain([("force", "boolean")]).collect();
            (options, Some((PATCH.to_owned(), true)), name, &["200", "201"])
        }
        "delete" => {
            let answer = if served.rules.delete.returns_object { name } else { STATUS.to_owned() };
            (DELETE.to_vec(), Some((DELETE_OPTIONS.to_owned(), false)), answer, &["200", "202"])
        }
        "deletecollection" => {
            let mut options: Vec<_> = LIST
                .iter()
                .chain(&DELETE)
                .copied()
                .filter(|(name, _)| !["allowWatchBookmarks", "watch"].contains(name))
                .collect();
            options.sort_unstable();
            (options, Some((DELETE_OPTIONS.to_owned(), false)), STATUS.to_owned(), &["200"])
        }
        "list" => (LIST.to_vec(), None, list, &["200"]),
        _ => (Vec::new(), None, name, &["200"]),
    };
    Operation { verb, id, options, body, answer, codes, served, kind, connects }
}

impl Operation<'_> {
    fn written(&self, dialect: Dialect) -> Json {
        let info = &self.served.info;
        let action = match self.verb {
            _ if self.connects => "connect",
            "create" => "post",
            "update" => "put",
            other => other,
        };
        let custom = self.served.custom().is_some();
        let media: Vec<&str> = if custom { MEDIA[..2].to_vec() } else { MEDIA.to_vec() };
        let streams =
            if ["list", "watch", "watchlist"].contains(&self.verb) && !custom { &STREAMS[..] } else { &[] };
        let mut produces: Vec<&str> = media.iter().chain(streams).copied().collect();
        if self.connects {
            produces = vec!["*/*"];
        }
        let patches: Vec<&str> =
            PATCHES.into_iter().filter(|media| !custom || !media.contains("strategic")).collect();
        let answer = match self.answer.as_str() {
            "" => json!({"type": "string"}),
            name => dialect.reference(name),
        };
        let mut operation = json!({
            "tags": [tag(&info.group, &info.version)], "operationId": self.id.as_str(),
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind":
                {"group": self.kind.0.as_str(), "version": self.kind.1.as_str(), "kind": self.kind.2.as_str()},
        });
        let Some(map) = operation.as_map_mut() else { return operation };
        let mut parameters: Vec<Json> = Vec::new();
        match dialect {
            Dialect::V2 => {
                if let Some((body, required)) = &self.body {
                    let mut parameter =
                        json!({"name": "body", "in": "body", "schema": dialect.reference(body)});
                    if let (true, Some(map)) = (required, parameter.as_map_mut()) {
                        map.insert("required", true.into());
                    }
                    parameters.push(parameter);
                }
                parameters.extend(self.options.iter().map(|(name, kind)| query(name, kind, dialect)));
                map.insert("consumes", if self.verb == "patch" { texts(&patches) } else { json!(["*/*"]) });
                map.insert("produces", texts(&produces));
                map.insert("schemes", json!(["https"]));
                let codes = self.codes.iter().map(|code| {
                    ((*code).to_owned(), json!({"description": words(code), "schema": answer.clone()}))
                });
                let codes = codes.chain([("401".to_owned(), json!({"description": "Unauthorized"}))]);
                map.insert("responses", codes.collect());
            }
            Dialect::V3 => {
                if let Some((body, required)) = &self.body {
                    let reference = dialect.reference(body);
                    let media: Vec<&str> = if self.verb == "patch" { patches } else { vec!["*/*"] };
                    let mut request = json!({"content": content(&media, &reference)});
                    if let (true, Some(map)) = (required, request.as_map_mut()) {
                        map.insert("required", true.into());
                    }
                    map.insert("requestBody", request);
                }
                parameters.extend(self.options.iter().map(|(name, kind)| query(name, kind, dialect)));
                let codes = self.codes.iter().map(|code| {
                    (
                        (*code).to_owned(),
                        json!({"description": words(code), "content": content(&produces, &answer)}),
                    )
                });
                let codes = codes.chain([("401".to_owned(), json!({"description": "Unauthorized"}))]);
                map.insert("responses", codes.collect());
            }
        }
        if !parameters.is_empty() {
            map.insert("parameters", parameters.into());
        }
        operation
    }
}

fn words(code: &str) -> &'static str {
    match code {
        "201" => "Created",
        "202" => "Accepted",
        _ => "OK",
    }
}

fn query(name: &str, kind: &str, dialect: Dialect) -> Json {
    match dialect {
        Dialect::V2 => json!({"uniqueItems": true, "type": kind, "name": name, "in": "query"}),
        Dialect::V3 => json!({"name": name, "in": "query", "schema": {"type": kind, "uniqueItems": true}}),
    }
}

fn path_parameters(path: &str, dialect: Dialect, common: Vec<Json>) -> Json {
    let mut parameters = common;
    for name in ["name", "namespace", "path"] {
        if path.contains(&format!("{{{name}}}")) {
            parameters.push(match dialect {
                Dialect::V2 => {
                    json!({"uniqueItems": true, "type": "string", "name": name, "in": "path", "required": true})
                }
                Dialect::V3 => {
                    let schema = json!({"type": "string", "uniqueItems": true});
                    json!({"name": name, "in": "path", "required": true, "schema": schema})
                }
            });
        }
    }
    parameters.push(query("pretty", "string", dialect));
    parameters.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    Json::from(parameters)
}

fn content(media: &[&str], schema: &Json) -> Json {
    media.iter().map(|media| ((*media).to_owned(), json!({"schema": schema.clone()}))).collect()
}

pub(super) fn texts(values: &[&str]) -> Json {
    Json::from(values.iter().map(|value| Json::from(*value)).collect::<Vec<_>>())
}

/// A group in the name of an operation: `RbacAuthorization` for `rbac.authorization.k8s.io`.
pub(super) fn title(group: &str) -> String {
    if group.is_empty() {
        return "Core".to_owned();
    }
    group.strip_suffix(".k8s.io").unwrap_or(group).split(['.', '-']).map(upper).collect()
}

fn tag(group: &str, version: &str) -> String {
    let title = title(group);
    let mut letters = title.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase()).into_iter();
    format!("{}_{version}", first.chain(letters).collect::<String>())
}

fn upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase()).into_iter();
    first.chain(letters).collect()
}

/// The definition of a built-in kind; `None` for other kinds.
pub(super) fn built_in(kind: &(String, String, String)) -> Option<&'static str> {
    definitions::of_kind(&kind.0, &kind.1, &kind.2)
}
