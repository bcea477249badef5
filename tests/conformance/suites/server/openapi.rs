//! Custom resources in `OpenAPI` documents.

use anyhow::{Context, Result, ensure};
use client_rs_tests::{Stage, eventually};
use serde_json::{Value, json};

use super::http::Http;

/// A schema with every extension that changes what is published.
fn schema() -> Value {
    json!({"type": "object", "description": "Own words.", "properties": {
        "spec": {"type": "object", "required": ["n"], "properties": {
            "n": {"type": "integer", "format": "int32", "minimum": 1},
            "either": {"x-kubernetes-int-or-string": true},
            "said": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "a"},
            "any": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
            "part": {
                "type": "object", "x-kubernetes-embedded-resource": true, "properties": {"spec": {"type": "object"}},
            },
            "open": {
                "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}},
            },
            "none": {"type": "string", "nullable": true},
            "list": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                "items": {"type": "object", "properties": {"k": {"type": "string", "default": "z"}}, "required": ["k"]},
            },
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "choice": {"type": "string", "oneOf": [{"pattern": "x"}, {"pattern": "y"}]},
        }},
    }})
}

/// Removes descriptions, which are worded differently; `required` is a set.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(key, value)| *key != "description" || !value.is_string())
            .map(|(key, value)| (key.clone(), plain(value)))
            .collect(),
        Value::Array(list) => list.iter().map(plain).collect(),
        other => other.clone(),
    }
}

pub(super) async fn custom(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let (label, group) =
        (format!("o{:x}", std::process::id()), format!("o{:x}.example.com", std::process::id()));
    let version = |name: &str, storage: bool, schema: Value| json!({"name": name, "served": true, "storage": storage, "schema": {"openAPIV3Schema": schema}});
    let open = json!({
        "type": "object", "description": "D", "x-kubernetes-preserve-unknown-fields": true,
        "properties": {"spec": {"type": "object"}},
    });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("foos.{group}")},
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"plural": "foos", "kind": "Foo"},
            "versions": [version("v1", true, schema()), version("v2", false, open)],
        },
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    http.post(definitions, &definition).await?.ok(201)?;
    let name = |version: &str, kind: &str| format!("com.example.{label}.{version}.{kind}");
    let older = eventually("the second version has the resource", || async {
        let all = http.get("/openapi/v2").await?.ok(200)?["definitions"].clone();
        ensure!(all[name("v1", "Foo")].is_object() && all[name("v2", "Foo")].is_object(), "not yet");
        Ok(all)
    })
    .await?;
    let newer = eventually("the third version has the resource", || async {
        let document = http.get(&format!("/openapi/v3/apis/{group}/v1")).await?.ok(200)?;
        Ok(document["components"]["schemas"].clone())
    })
    .await?;
    http.delete(&format!("{definitions}/foos.{group}")).await?.ok(200)?;

    let meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    let common = |metadata: Value, more: Value| {
        let mut all =
            json!({"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": metadata});
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let kind = |version: &str, kind: &str| json!([{"group": group, "kind": kind, "version": version}]);

    // OpenAPI v2: what older clients can't validate is left out.
    let v2 = json!({"$ref": format!("#/definitions/{meta}")});
    let expected = json!({"type": "object", "x-kubernetes-group-version-kind": kind("v1", "Foo"),
        "properties": common(v2.clone(), json!({
            "spec": {"type": "object", "required": ["n"], "properties": {
                "n": {"type": "integer", "format": "int32", "minimum": 1},
                "either": {"x-kubernetes-int-or-string": true},
                "said": {"x-kubernetes-int-or-string": true, "pattern": "a"},
                "any": {"x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true},
                "part": {
                    "type": "object", "x-kubernetes-embedded-resource": true, "required": ["kind", "apiVersion"],
                    "properties": common(v2.clone(), json!({"spec": {"type": "object"}})),
                },
                "open": {"x-kubernetes-preserve-unknown-fields": true},
                "none": {},
                "list": {
                    "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
                    "items": {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]},
                },
                "map": {"type": "object", "additionalProperties": {"type": "string"}},
                "choice": {"type": "string"},
            }},
        })),
    });
    let found = &older[name("v1", "Foo")];
    ensure!(plain(found) == expected, "v2 has {}\n  instead of {expected}", plain(found));
    ensure!(found["description"] == "Own words.", "{found}");
    let described = found["properties"]["apiVersion"]["description"].as_str().unwrap_or_default();
    ensure!(described.starts_with("APIVersion defines"), "{described}");
    let open = json!({"type": "object", "x-kubernetes-group-version-kind": kind("v2", "Foo")});
    ensure!(older[name("v2", "Foo")] == open, "{}", older[name("v2", "Foo")]);
    let list = &older[name("v1", "FooList")];
    ensure!(
        list["description"].as_str().is_some_and(|text| text.starts_with("FooList is a list of Foo")),
        "{list}"
    );

    // OpenAPI v3: what the extensions imply is added.
    let v3 = json!({"allOf": [{"$ref": format!("#/components/schemas/{meta}")}]});
    let found = &newer[name("v1", "Foo")];
    let spec = plain(&found["properties"]["spec"]["properties"]);
    let either = json!([{"type": "integer"}, {"type": "string"}]);
    ensure!(
        spec["either"] == json!({"anyOf": either, "x-kubernetes-int-or-string": true}),
        "{}",
        spec["either"]
    );
    let any = json!({
        "type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true,
        "required": ["kind", "apiVersion"], "properties": common(v3.clone(), json!({})),
    });
    ensure!(spec["any"] == any, "{}", spec["any"]);
    ensure!(spec["none"] == json!({"type": "string", "nullable": true}), "{}", spec["none"]);
    let choice = json!({"type": "string", "oneOf": [{"pattern": "x"}, {"pattern": "y"}]});
    ensure!(spec["choice"] == choice, "{}", spec["choice"]);
    ensure!(plain(&found["properties"]["metadata"]) == v3, "{found}");
    Ok(())
}

pub(super) async fn paths(stage: &Stage) -> Result<()> {
    let http = Http::new(stage)?;
    let document = http.get("/openapi/v2").await?.ok(200)?;
    let paths = document["paths"].as_object().context("no paths")?;
    for path in [
        "/api/",
        "/apis/",
        "/apis/apps/",
        "/version/",
        "/openid/v1/jwks/",
        "/.well-known/openid-configuration/",
        "/api/v1/watch/pods",
        "/api/v1/watch/namespaces/{namespace}/pods",
        "/api/v1/watch/namespaces/{namespace}/pods/{name}",
        "/api/v1/watch/nodes/{name}",
        "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}",
        "/api/v1/nodes/{name}/proxy/{path}",
    ] {
        ensure!(paths.contains_key(path), "{path} is missing among {}", paths.len());
    }
    let watch = &paths["/api/v1/watch/namespaces/{namespace}/pods"]["get"];
    ensure!(watch["operationId"] == "watchCoreV1NamespacedPodList", "{watch}");
    ensure!(watch["x-kubernetes-action"] == "watchlist", "{watch}");
    ensure!(paths["/version/"]["get"]["operationId"] == "getCodeVersion", "{}", paths["/version/"]);
    Ok(())
}
