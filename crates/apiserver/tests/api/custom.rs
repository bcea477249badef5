//! Custom resources: creation, change and removal.

use client_rs_machinery::{Json, json};
use http_body_util::BodyExt;

use crate::common::{Client, server};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS: &str = "/apis/test.example.com/v1/namespaces/default/things";

fn definition(schema: &Json) -> Json {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.test.example.com"},
        "spec": {
            "group": "test.example.com", "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
            "versions": [
                {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema.clone()}},
            ],
        },
    })
}

fn schema(properties: &Json) -> Json {
    json!({"type": "object", "properties": {"spec": {"type": "object", "properties": properties.clone()}}})
}

fn thing(name: &str, spec: &Json) -> Json {
    json!({
        "apiVersion": "test.example.com/v1", "kind": "Thing", "metadata": {"name": name}, "spec": spec.clone(),
    })
}

#[tokio::test]
async fn a_definition_is_served_at_once_and_in_all_documents() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let index = client.get("/openapi/v3").await.json();
    assert!(index["paths"].get("apis/test.example.com/v1").is_none());
    let made = client.post(DEFINITIONS, &definition(&schema(&json!({"a": {"type": "string"}})))).await;
    assert_eq!(made.code, 201);
    assert_eq!(made.json()["status"]["conditions"], Json::Null);
    assert_eq!(client.post(THINGS, &thing("a", &json!({"a": "x"}))).await.code, 201);
    let groups = client.get("/apis").await.json();
    let names: Vec<_> =
        groups["groups"].as_list().unwrap().iter().map(|group| group["name"].clone()).collect();
    assert_eq!(names.last(), Some(&json!("test.example.com")));
    let accept = [("accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")];
    let all = client.send("GET", "/apis", &accept, b"").await.json();
    let last = all["items"].as_list().unwrap().last().unwrap().clone();
    assert_eq!(
        last["versions"][0]["resources"][0]["responseKind"],
        json!({"group": "test.example.com", "version": "v1", "kind": "Thing"})
    );
    let url =
        client.get("/openapi/v3").await.json()["paths"]["apis/test.example.com/v1"]["serverRelativeURL"]
            .clone();
    let document = client.get(url.as_str().unwrap()).await.json();
    let own = &document["components"]["schemas"]["com.example.test.v1.Thing"];
    assert_eq!(own["properties"]["spec"]["properties"]["a"], json!({"type": "string"}));
    assert!(
        document["paths"].get("/apis/test.example.com/v1/namespaces/{namespace}/things/{name}").is_some()
    );
    let older = client.get("/openapi/v2").await.json();
    assert!(older["definitions"].get("com.example.test.v1.ThingList").is_some());
    let accept = [("accept", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf")];
    let packed = client.send("GET", "/openapi/v2", &accept, b"").await;
    assert_eq!(packed.body[..5], *b"\x0a\x032.0");
    let changed = json!({"spec": {"versions": [{
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": schema(&json!({"a": {"type": "string"}, "b": {"type": "integer", "default": 7}}))},
    }]}});
    let path = format!("{DEFINITIONS}/things.test.example.com");
    assert_eq!(client.patch(&path, "merge-patch+json", &changed.to_vec()).await.code, 200);
    let again =
        client.get("/openapi/v3").await.json()["paths"]["apis/test.example.com/v1"]["serverRelativeURL"]
            .clone();
    assert_ne!(again, url);
    // A stored object is read with the new default.
    assert_eq!(client.get(&format!("{THINGS}/a")).await.json()["spec"], json!({"a": "x", "b": 7}));
}

#[tokio::test]
async fn a_watch_ends_with_its_resource() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(DEFINITIONS, &definition(&schema(&json!({})))).await;
    client.post(THINGS, &thing("a", &json!({}))).await;
    let mut watching = Client::new(&server).await;
    let mut events = watching.open("GET", &format!("{THINGS}?watch=true"), &[], b"").await.into_body();
    let gone = client.delete(&format!("{DEFINITIONS}/things.test.example.com")).await;
    assert_eq!(gone.code, 200);
    assert_eq!(gone.json()["metadata"]["finalizers"], json!(["customresourcecleanup.apiextensions.k8s.io"]));
    let mut text = Vec::new();
    while let Some(frame) = events.frame().await {
        text.extend_from_slice(&frame.unwrap().into_data().unwrap());
    }
    let kinds: Vec<Json> = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| Json::parse(line).unwrap()["type"].clone())
        .collect();
    assert_eq!(Json::from(kinds), json!(["ADDED", "DELETED"]));
    assert_eq!(client.get(THINGS).await.code, 404);
    assert_eq!(client.get(&format!("{DEFINITIONS}/things.test.example.com")).await.code, 404);
    // A definition that is created again has none of its old objects.
    client.post(DEFINITIONS, &definition(&schema(&json!({})))).await;
    assert_eq!(client.get(THINGS).await.json()["items"], json!([]));
}

#[tokio::test]
async fn an_object_with_a_finalizer_keeps_its_definition() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(DEFINITIONS, &definition(&schema(&json!({})))).await;
    let mut held = thing("a", &json!({}));
    held.set(&["metadata", "finalizers"], json!(["test.example.com/hold"])).unwrap();
    assert_eq!(client.post(THINGS, &held).await.code, 201);
    let path = format!("{DEFINITIONS}/things.test.example.com");
    client.delete(&path).await;
    let ending = client.get(&path).await.json();
    let terminating = ending["status"]["conditions"]
        .as_list()
        .unwrap()
        .iter()
        .find(|condition| condition["type"].as_str() == Some("Terminating"))
        .cloned()
        .unwrap();
    assert_eq!(terminating["reason"], json!("InstanceDeletionInProgress"));
    let refused = client.post(THINGS, &thing("b", &json!({}))).await;
    assert_eq!(refused.code, 403, "{}", refused.message());
    let resources = client.get("/apis/test.example.com/v1").await.json();
    assert_eq!(
        resources["resources"][0]["verbs"],
        json!(["delete", "deletecollection", "get", "list", "watch"])
    );
    let release = br#"{"metadata":{"finalizers":null}}"#;
    assert_eq!(client.patch(&format!("{THINGS}/a"), "merge-patch+json", release).await.code, 200);
    assert_eq!(client.get(&path).await.code, 404);
    assert_eq!(client.get(THINGS).await.code, 404);
}

#[tokio::test]
async fn rules_are_evaluated_and_their_failures_reported() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let properties = json!({
        "a": {"type": "string", "x-kubernetes-validations": [
            {"rule": "self.startsWith('x')"},
            {"rule": "self == oldSelf || oldSelf == 'x0'", "message": "it stays as it is", "reason": "FieldValueForbidden"},
        ]},
        "b": {"type": "integer"},
        "n": {"type": "number"},
        "parts": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object", "required": ["name"],
                "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
                "x-kubernetes-validations": [{
                    "rule": "!has(oldSelf.size) || self.size >= oldSelf.size", "fieldPath": ".size",
                    "messageExpression": "oldSelf.size == 2 ? 'it was 2' : 'it was another'",
                }],
            },
        },
    });
    let mut whole = schema(&properties);
    let rules = json!([
        {"rule": "self.spec.b < 10 || self.metadata.name != 'a'", "message": "too large for a"},
        {"rule": "!has(self.spec.n) || self.spec.n / 2.0 <= 1.0"},
    ]);
    whole.set(&["x-kubernetes-validations"], rules.clone()).unwrap();
    let made = client.post(DEFINITIONS, &definition(&whole)).await.json();
    assert_eq!(made["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["x-kubernetes-validations"], rules);
    let wrong_type = client.post(THINGS, &thing("a", &json!({"b": "x"}))).await;
    assert!(
        wrong_type.message().contains("some validation rules were not checked"),
        "{}",
        wrong_type.message()
    );
    let prefix = r#"Thing.test.example.com "a" is invalid: "#;
    for (spec, expected) in [
        (json!({"b": 1, "a": "y"}), r#"spec.a: Invalid value: "y": failed rule: self.startsWith('x')"#),
        (json!({"b": 11}), "<nil>: Invalid value: too large for a"),
        (
            json!({"b": 1, "n": 3}),
            "<nil>: Invalid value: failed rule: !has(self.spec.n) || self.spec.n / 2.0 <= 1.0",
        ),
        (
            json!({"a": "x"}),
            r#"<nil>: Invalid value: "object": no such key: b evaluating rule: too large for a"#,
        ),
    ] {
        let refused = client.post(THINGS, &thing("a", &spec)).await;
        assert_eq!((refused.code, refused.message()), (422, format!("{prefix}{expected}")), "{spec}");
    }
    let good = json!({"b": 1, "a": "x1", "parts": [{"name": "p", "size": 2}]});
    assert_eq!(client.post(THINGS, &thing("a", &good)).await.code, 201);
    let path = format!("{THINGS}/a");
    for (patch, expected) in [
        (json!({"spec": {"a": "x2"}}), "spec.a: Forbidden: it stays as it is"),
        (
            json!({"spec": {"parts": [{"name": "p", "size": 1}]}}),
            "spec.parts[0].size: Invalid value: it was 2",
        ),
    ] {
        let refused = client.patch(&path, "merge-patch+json", &patch.to_vec()).await;
        assert_eq!((refused.code, refused.message()), (422, format!("{prefix}{expected}")), "{patch}");
    }
    // An existing value that a new rule forbids may stay unchanged, but can't be set.
    let mut stricter = whole.clone();
    stricter
        .set(
            &["properties", "spec", "properties", "a", "x-kubernetes-validations"],
            json!([{"rule": "false"}]),
        )
        .unwrap();
    let change = json!({"spec": {"versions": [{
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": stricter},
    }]}});
    let definition = format!("{DEFINITIONS}/things.test.example.com");
    assert_eq!(client.patch(&definition, "merge-patch+json", &change.to_vec()).await.code, 200);
    assert_eq!(client.patch(&path, "merge-patch+json", br#"{"spec":{"b":2}}"#).await.code, 200);
    assert_eq!(client.patch(&path, "merge-patch+json", br#"{"spec":{"a":"x3"}}"#).await.code, 422);
}

#[tokio::test]
async fn requests_objects_and_watches_are_counted() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    client.post("/api/v1/namespaces/default/configmaps", &map).await;
    client.post("/api/v1/namespaces/default/configmaps", &map).await;
    let mut watching = Client::new(&server).await;
    let watch = watching.open("GET", "/api/v1/namespaces/default/secrets?watch=true", &[], b"").await;
    let text = client.get("/metrics").await;
    assert!(text.header("content-type")[0].starts_with("text/plain; version=0.0.4"));
    let text = String::from_utf8(text.body.to_vec()).unwrap();
    let labels = r#"component="apiserver",dry_run="",group="",resource="configmaps",scope="namespace",subresource="",verb="POST",version="v1""#;
    for line in [
        format!(r#"apiserver_request_total{{{labels},code="201"}} 1"#),
        format!(r#"apiserver_request_total{{{labels},code="409"}} 1"#),
        format!("apiserver_request_duration_seconds_count{{{labels}}} 2"),
        r#"apiserver_longrunning_requests{component="apiserver",group="",resource="secrets",scope="namespace",subresource="",verb="WATCH",version="v1"} 1"#.to_owned(),
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    assert!(text.contains(r#"apiserver_resource_objects{group="",resource="configmaps"} "#));
    drop(watch);
}

#[tokio::test]
async fn apply_merges_custom_objects_by_the_list_types_of_their_schema() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let part = json!({
        "type": "object", "required": ["name"],
        "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
    });
    let properties = json!({"parts": {
        "type": "array", "items": part, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    }});
    client.post(DEFINITIONS, &definition(&schema(&properties))).await;
    let apply = |manager: &str, more: &str| format!("{THINGS}/a?fieldManager={manager}{more}");
    let of = |name: &str, size: i64| thing("a", &json!({"parts": [{"name": name, "size": size}]})).to_vec();
    let made = client.patch(&apply("one", ""), "apply-patch+yaml", &of("p", 1)).await;
    assert_eq!(made.code, 201, "{}", made.message());
    let both = client.patch(&apply("two", ""), "apply-patch+yaml", &of("q", 2)).await;
    assert_eq!(both.code, 200, "{}", both.message());
    assert_eq!(both.json()["spec"]["parts"], json!([{"name": "p", "size": 1}, {"name": "q", "size": 2}]));
    let conflict = client.patch(&apply("two", ""), "apply-patch+yaml", &of("p", 3)).await;
    assert_eq!(conflict.code, 409);
    assert_eq!(conflict.json()["details"]["causes"][0]["field"], json!(".spec.parts[name=\"p\"].size"));
    let forced = client.patch(&apply("two", "&force=true"), "apply-patch+yaml", &of("p", 3)).await;
    assert_eq!(forced.json()["spec"]["parts"], json!([{"name": "p", "size": 3}]));
    let owners = forced.json()["metadata"]["managedFields"].clone();
    assert_eq!(owners[1]["fieldsV1"]["f:spec"]["f:parts"]["k:{\"name\":\"p\"}"]["f:size"], json!({}));
}
