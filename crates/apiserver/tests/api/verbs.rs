//! The API over HTTP, on in-memory connections. The responses are those of kube-apiserver 1.37.

use crate::common::{Client, server};
use client_rs_api::core::v1::{ConfigMap, ConfigMapList};
use client_rs_machinery::wire::{Message, from_envelope, to_envelope};
use client_rs_machinery::{Json, json};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

fn config_map(name: &str) -> Json {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}})
}

#[tokio::test(start_paused = true)]
async fn an_object_is_created_read_updated_and_deleted() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let created = client.post(MAPS, &config_map("a")).await;
    assert_eq!(created.code, 201);
    assert!(created.body.starts_with(
        br#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":""#
    ));
    assert!(created.body.ends_with(b"}\n"));
    let uri = format!("{MAPS}/a");
    let mut object = client.get(&uri).await.json();
    assert_eq!(object, created.json());
    object.set(&["data", "k"], "v").unwrap();
    let updated = client.put(&uri, &object).await;
    assert_eq!((updated.code, &updated.json()["data"]["k"]), (200, &json!("v")));
    let stale = client.put(&uri, &object).await;
    assert_eq!((stale.code, stale.json()["reason"].as_str()), (409, Some("Conflict")));
    let deleted = client.delete(&uri).await;
    let uid = object["metadata"]["uid"].as_str().unwrap();
    let expected = format!(
        r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Success","details":{{"name":"a","kind":"configmaps","uid":"{uid}"}}}}"#
    );
    assert_eq!((deleted.code, String::from_utf8_lossy(&deleted.body).trim_end()), (200, expected.as_str()));
    let gone = client.get(&uri).await;
    assert_eq!((gone.code, gone.message().as_str()), (404, r#"configmaps "a" not found"#));
}

#[tokio::test(start_paused = true)]
async fn lists_have_pages_and_items_do_not_repeat_their_kind() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    for name in ["a", "b", "c"] {
        client.post(MAPS, &config_map(name)).await;
    }
    let first = client.get(&format!("{MAPS}?limit=2")).await.json();
    assert_eq!(
        (&first["kind"], &first["metadata"]["remainingItemCount"]),
        (&json!("ConfigMapList"), &json!(1))
    );
    assert_eq!((first["items"].as_list().unwrap().len(), &first["items"][0]["kind"]), (2, &Json::Null));
    let token = first["metadata"]["continue"].as_str().unwrap();
    let uri = format!("{MAPS}?limit=2&continue={token}");
    let second = client.get(&uri).await.json();
    assert_eq!(second["items"][0]["metadata"]["name"], json!("c"));
    assert_eq!(second["metadata"]["resourceVersion"], first["metadata"]["resourceVersion"]);
    client.post(MAPS, &config_map("d")).await;
    server.controls().compact();
    let expired = client.get(&uri).await;
    assert_eq!((expired.code, expired.json()["reason"].as_str()), (410, Some("Expired")));
    let token = expired.json()["metadata"]["continue"].as_str().unwrap().to_owned();
    let rest = client.get(&format!("{MAPS}?limit=9&continue={token}")).await.json();
    assert_eq!(rest["items"].as_list().unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn objects_are_served_in_protobuf_and_yaml() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let mut map = ConfigMap::default();
    map.metadata.name = "a".into();
    map.data.insert("k", "v".into());
    let headers = [("content-type", PROTOBUF), ("accept", PROTOBUF)];
    let created = client.send("POST", MAPS, &headers, &to_envelope(&map)).await;
    assert_eq!((created.code, created.header("content-type")), (201, vec![PROTOBUF]));
    let created: ConfigMap = from_envelope(&created.body).unwrap();
    assert_eq!(
        (created.data.get("k").map(client_rs_machinery::Str::as_str), created.metadata.uid.len()),
        (Some("v"), 36)
    );
    let list = client.send("GET", MAPS, &[("accept", PROTOBUF)], b"").await;
    let list: ConfigMapList = from_envelope(&list.body).unwrap();
    assert_eq!(&*list.items, &[created]);
    assert!(!list.metadata.resource_version.is_empty());
    let yaml = b"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yam\ndata: {n: '1'}\n";
    let headers = [("content-type", "application/yaml"), ("accept", "application/yaml")];
    let created = client.send("POST", MAPS, &headers, yaml).await;
    let text = String::from_utf8_lossy(&created.body).into_owned();
    assert_eq!(created.code, 201, "{text}");
    assert!(text.starts_with("apiVersion: v1\n") && text.contains("\n  name: yam\n"), "{text}");
    let missing = client.send("GET", &format!("{MAPS}/none"), &[("accept", PROTOBUF)], b"").await;
    let status: client_rs_machinery::meta::v1::Status = from_envelope(&missing.body).unwrap();
    assert_eq!(status.code, 404);
}

#[tokio::test(start_paused = true)]
async fn tables_and_metadata_can_be_requested() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(MAPS, &config_map("a")).await;
    let table = client
        .send("GET", MAPS, &[("accept", "application/json;as=Table;v=v1;g=meta.k8s.io")], b"")
        .await
        .json();
    assert_eq!((&table["kind"], &table["columnDefinitions"][1]["name"]), (&json!("Table"), &json!("Data")));
    let cells = &table["rows"][0]["cells"];
    assert_eq!((&cells[0], &cells[1]), (&json!("a"), &json!(0)));
    // The age depends on the machine's speed.
    assert!(cells[2].as_str().is_some_and(|age| age.ends_with('s')), "{cells}");
    assert_eq!(table["rows"][0]["object"]["kind"], json!("PartialObjectMetadata"));
    for accept in ["application/json", PROTOBUF] {
        let accept = format!("{accept};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
        let answer = client.send("GET", MAPS, &[("accept", &accept)], b"").await;
        let list: client_rs_machinery::meta::v1::PartialObjectMetadataList = match answer.body.first() {
            Some(b'{') => Message::from_json(&answer.body).unwrap(),
            _ => from_envelope(&answer.body).unwrap(),
        };
        assert_eq!(list.items[0].metadata.name, "a");
    }
    let answer = client.send("GET", MAPS, &[("accept", "text/html")], b"").await;
    assert_eq!((answer.code, answer.json()["reason"].as_str()), (406, Some("NotAcceptable")));
    let pretty = client.get(&format!("{MAPS}/a?pretty=true")).await;
    assert!(pretty.body.starts_with(b"{\n  \"kind\": \"ConfigMap\",\n"));
}

#[tokio::test(start_paused = true)]
async fn patches_of_three_types_are_applied() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let container = |image: &str| json!([{"name": "c", "image": image}]);
    client
        .post(
            deployments,
            &json!({"metadata": {"name": "d"}, "spec": {
                "selector": {"matchLabels": {"a": "b"}},
                "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": container("a")}}}}),
        )
        .await;
    let uri = format!("{deployments}/d");
    let strategic = br#"{"spec":{"template":{"spec":{"containers":[{"name":"e","image":"b"}]}}}}"#;
    let patched = client.patch(&uri, "strategic-merge-patch+json", strategic).await.json();
    assert_eq!(patched["spec"]["template"]["spec"]["containers"].as_list().unwrap().len(), 2);
    assert_eq!(patched["metadata"]["generation"], json!(2));
    let merge = br#"{"metadata":{"labels":{"a":"b"}},"spec":{"paused":true}}"#;
    let patched = client.patch(&uri, "merge-patch+json", merge).await.json();
    assert_eq!(
        (&patched["metadata"]["labels"]["a"], &patched["spec"]["paused"]),
        (&json!("b"), &json!(true))
    );
    let edit = br#"[{"op":"test","path":"/spec/paused","value":false}]"#;
    let failed = client.patch(&uri, "json-patch+json", edit).await;
    assert_eq!((failed.code, failed.json()["reason"].as_str()), (422, Some("Invalid")));
    let edit = br#"[{"op":"add","path":"/spec/replicas","value":3},{"op":"remove","path":"/spec/paused"}]"#;
    let patched = client.patch(&uri, "json-patch+json", edit).await.json();
    assert_eq!((&patched["spec"]["replicas"], &patched["spec"]["paused"]), (&json!(3), &Json::Null));
    for (kind, patch, code) in [
        ("merge-patch+json", &b"{"[..], 400),
        ("merge-patch+json", b"[]", 400),
        ("json-patch+json", b"{}", 400),
        ("merge-patch+json", br#"{"metadata":{"resourceVersion":"1"}}"#, 409),
        ("merge-patch+json", br#"{"metadata":{"name":"x"}}"#, 400),
        ("merge-patch+json", br#"{"metadata":{"uid":"x"}}"#, 422),
        ("merge-patch+json", br#"{"metadata":{"labels":3}}"#, 422),
        ("text", b"{}", 415),
        ("apply-patch+yaml", b"{}", 422),
    ] {
        let answer = client.patch(&uri, kind, patch).await;
        assert_eq!(answer.code, code, "{kind} {:?}", answer.body);
    }
}

#[tokio::test(start_paused = true)]
async fn a_scale_is_read_and_written() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let sets = "/apis/apps/v1/namespaces/default/replicasets";
    let spec = json!({"replicas": 2, "selector": {"matchLabels": {"a": "b"}, "matchExpressions": [
        {"key": "c", "operator": "In", "values": ["d", "e"]}]},
        "template": {"metadata": {"labels": {"a": "b", "c": "d"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}});
    client.post(sets, &json!({"metadata": {"name": "r"}, "spec": spec})).await;
    let uri = format!("{sets}/r/scale");
    let scale = client.get(&uri).await.json();
    assert_eq!((&scale["kind"], &scale["spec"]["replicas"]), (&json!("Scale"), &json!(2)));
    assert_eq!(scale["status"]["selector"], json!("a=b,c in (d,e)"));
    let patched = client.patch(&uri, "merge-patch+json", br#"{"spec":{"replicas":5}}"#).await;
    assert_eq!((patched.code, &patched.json()["spec"]["replicas"]), (200, &json!(5)));
    assert_eq!(client.put(&uri, &scale).await.code, 409);
    assert_eq!(client.get(&format!("{sets}/r")).await.json()["spec"]["replicas"], json!(5));
}

#[tokio::test(start_paused = true)]
async fn unknown_fields_are_reported() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let mut odd = config_map("a");
    odd.set(&["bar"], 2).unwrap();
    let warned = client.post(&format!("{MAPS}?dryRun=All"), &odd).await;
    assert_eq!(warned.code, 201);
    assert_eq!(warned.header("warning"), [r#"299 - "unknown field \"bar\"""#]);
    assert_eq!(client.get(&format!("{MAPS}/a")).await.code, 404);
    let refused = client.post(&format!("{MAPS}?fieldValidation=Strict"), &odd).await;
    assert_eq!(
        refused.message(),
        r#"ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "bar""#
    );
    let ignored = client.post(&format!("{MAPS}?fieldValidation=Ignore"), &odd).await;
    assert_eq!((ignored.code, ignored.header("warning").len()), (201, 0));
}

#[tokio::test(start_paused = true)]
async fn bad_requests_have_different_errors() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    client.post(MAPS, &config_map("a")).await;
    for (method, uri, body, code, reason) in [
        ("GET", "/nope", "", 404, ""),
        ("GET", "/apis/nope/v1", "", 404, ""),
        ("GET", "/api/v1/nope", "", 404, "NotFound"),
        ("GET", "/apis/apps/v1beta1", "", 404, "NotFound"),
        ("GET", "/apis/apps/v2/deployments", "", 404, "NotFound"),
        ("GET", "/api/v1/namespaces/default/nodes", "", 404, "NotFound"),
        ("GET", "/api/v1/namespaces/default/configmaps/a/status", "", 404, "NotFound"),
        ("GET", "/api/v1/namespaces/default/pods/a/log", "", 404, "NotFound"),
        ("GET", "/api/v1/namespaces/default/pods/a/exec", "", 404, "NotFound"),
        ("GET", "/api/v1/namespaces/default/services/a/proxy", "", 503, "ServiceUnavailable"),
        ("GET", "/api/v1/namespaces/default/services/a:80/proxy", "", 404, "NotFound"),
        ("POST", "/api/v1/configmaps", "{}", 405, "MethodNotAllowed"),
        ("POST", "/api/v1/namespaces/default/configmaps/a", "{}", 405, "MethodNotAllowed"),
        ("PUT", MAPS, "{}", 405, "MethodNotAllowed"),
        ("DELETE", "/api/v1/namespaces", "", 405, "MethodNotAllowed"),
        ("DELETE", "/api/v1/namespaces/default", "", 403, "Forbidden"),
        ("POST", MAPS, "", 400, "BadRequest"),
        ("POST", MAPS, "[1]", 400, "BadRequest"),
        ("POST", MAPS, "{", 400, "BadRequest"),
        ("POST", MAPS, "{}", 422, "Invalid"),
        ("POST", MAPS, r#"{"kind":"Pod","apiVersion":"v1"}"#, 400, "BadRequest"),
        ("POST", MAPS, r#"{"kind":"Foo","apiVersion":"v1"}"#, 400, "BadRequest"),
        ("POST", MAPS, r#"{"metadata":{"name":5}}"#, 400, "BadRequest"),
        ("POST", "/api/v1/namespaces/default/configmaps?dryRun=Foo", "{}", 422, "Invalid"),
        ("POST", "/api/v1/namespaces/default/configmaps?fieldValidation=Foo", "{}", 422, "Invalid"),
        ("PUT", "/api/v1/namespaces/default/configmaps/b", r#"{"metadata":{"name":"a"}}"#, 400, "BadRequest"),
        ("GET", "/api/v1/configmaps?limit=x", "", 400, "BadRequest"),
        ("GET", "/api/v1/configmaps?labelSelector=a%20b", "", 400, "BadRequest"),
        ("GET", "/api/v1/configmaps?fieldSelector=foo=bar", "", 400, "BadRequest"),
        ("GET", "/api/v1/configmaps?resourceVersion=abc", "", 400, "BadRequest"),
        ("GET", "/api/v1/configmaps?resourceVersion=999", "", 504, "Timeout"),
        ("GET", "/api/v1/configmaps?continue=abc", "", 400, "BadRequest"),
        ("GET", "/api/v1/configmaps?resourceVersionMatch=Exact", "", 422, "Invalid"),
        ("GET", "/api/v1/configmaps?sendInitialEvents=true", "", 422, "Invalid"),
        ("GET", "/api/v1/configmaps?watch=1&sendInitialEvents=true", "", 422, "Invalid"),
        ("GET", "/api/v1/configmaps?watch=1&resourceVersion=abc", "", 500, ""),
        ("GET", "/api/v1/namespaces/default/configmaps/a?resourceVersion=999", "", 504, "Timeout"),
    ] {
        let answer = client.send(method, uri, &[("content-type", "application/json")], body.as_bytes()).await;
        let status = Json::parse(&answer.body).unwrap_or_default();
        let found = status["reason"].as_str().unwrap_or_default();
        assert_eq!((answer.code, found), (code, reason), "{method} {uri} {body}: {:?}", answer.body);
    }
    let odd = client.send("POST", MAPS, &[("content-type", "text/plain")], b"x").await;
    assert_eq!(odd.code, 415);
    let huge = vec![b' '; 3 * 1024 * 1024 + 1];
    let huge = client.send("POST", MAPS, &[], &huge).await;
    assert_eq!((huge.code, huge.message().as_str()), (413, "Request entity too large: limit is 3145728"));
}

#[tokio::test(start_paused = true)]
async fn discovery_lists_the_served_resources() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    assert_eq!(client.get("/api").await.json()["versions"], json!(["v1"]));
    let groups = client.get("/apis").await.json();
    assert_eq!(groups["groups"][1]["preferredVersion"]["groupVersion"], json!("apps/v1"));
    let resources = client.get("/apis/apps/v1").await.json();
    let names: Vec<&str> =
        resources["resources"].as_list().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(
        names[..5],
        ["controllerrevisions", "daemonsets", "daemonsets/status", "deployments", "deployments/scale"]
    );
    let accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let answer = client.send("GET", "/apis", &[("accept", accept)], b"").await;
    assert_eq!(answer.header("content-type"), [accept]);
    let aggregated = answer.json();
    let apps =
        aggregated["items"].as_list().unwrap().iter().find(|item| item["metadata"]["name"] == json!("apps"));
    assert_eq!(
        apps.unwrap()["versions"][0]["resources"][2]["subresources"][0]["responseKind"]["group"],
        json!("autoscaling")
    );
    assert_eq!(client.get("/version").await.json()["minor"], json!("37"));
    assert_eq!(&client.get("/readyz").await.body[..], b"ok");
    let index = client.get("/openapi/v3").await.json();
    let document = index["paths"]["apis/apps/v1"]["serverRelativeURL"].as_str().unwrap().to_owned();
    let document = client.get(&document).await.json();
    let patch = &document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]["patch"];
    assert_eq!(patch["x-kubernetes-group-version-kind"]["kind"], json!("Deployment"));
}

#[tokio::test(start_paused = true)]
async fn requests_are_served_over_http_2_too() {
    let server = server().await;
    let io = hyper_util::rt::TokioIo::new(server.connect());
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) = hyper::client::conn::http2::handshake(executor, io).await.unwrap();
    tokio::spawn(connection);
    let request = http::Request::get("http://localhost/api/v1/namespaces")
        .body(http_body_util::Empty::<bytes::Bytes>::new());
    let response = sender.send_request(request.unwrap()).await.unwrap();
    assert_eq!((response.status().as_u16(), response.version()), (200, http::Version::HTTP_2));
}

/// A stateful set as in the Kubernetes tutorials: a web server with a volume claim per replica.
#[tokio::test(start_paused = true)]
async fn a_stateful_set_mounts_the_volumes_of_its_claim_templates() {
    let server = server().await;
    let mut client = Client::new(&server).await;
    let sets = "/apis/apps/v1/namespaces/default/statefulsets";
    let mut set = json!({
        "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "pages"},
        "spec": {
            "serviceName": "nginx", "replicas": 2, "selector": {"matchLabels": {"app": "nginx"}},
            "template": {
                "metadata": {"labels": {"app": "nginx"}},
                "spec": {"containers": [{
                    "name": "nginx", "image": "nginx", "ports": [{"containerPort": 80, "name": "web"}],
                    "volumeMounts": [{"name": "www", "mountPath": "/usr/share/nginx/html"}],
                }]},
            },
            "volumeClaimTemplates": [{
                "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "www"},
                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
            }],
        },
    });
    let made = client.post(sets, &set).await;
    assert_eq!(made.code, 201, "{}", made.message());
    assert_eq!(made.header("warning"), [""; 0]);
    let claim = &made.json()["spec"]["volumeClaimTemplates"][0];
    assert_eq!((&claim["apiVersion"], &claim["kind"]), (&json!("v1"), &json!("PersistentVolumeClaim")));
    // The same with apply, and with strict field validation.
    let strict = "fieldManager=me&force=true&fieldValidation=Strict";
    let applied = client.patch(&format!("{sets}/pages?{strict}"), "apply-patch+yaml", &set.to_vec()).await;
    assert_eq!((applied.code, applied.header("warning")), (200, vec![]), "{}", applied.message());
    // A claim replaces a volume of its name. A mount of neither is an error.
    let volumes = json!([{"name": "www", "emptyDir": Json::Map(client_rs_machinery::Map::new())}]);
    set.set(&["spec", "template", "spec", "volumes"], volumes).unwrap();
    set.set(&["metadata", "name"], "both").unwrap();
    let made = client.post(sets, &set).await;
    assert_eq!(made.code, 201, "{}", made.message());
    set.set(&["metadata", "name"], "neither").unwrap();
    set.set(&["spec", "template", "spec", "volumes"], json!([])).unwrap();
    set.set(&["spec", "volumeClaimTemplates"], json!([])).unwrap();
    let refused = client.post(sets, &set).await;
    let why = "spec.template.spec.containers[0].volumeMounts[0].name: Not found: \"www\"";
    assert!(refused.code == 422 && refused.message().ends_with(why), "{}", refused.message());
}
