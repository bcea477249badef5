//! Paths, headers and bodies of requests, and requests that are refused.

use std::sync::Arc;

use client_rs_machinery::meta::v1::{ListOptions, ObjectMeta, PartialObjectMetadata};
use client_rs_machinery::patch::{JsonPatch, Patch};
use client_rs_machinery::wire::{Format, Payload as _, WatchEvent};
use client_rs_machinery::{
    GroupResource, GroupVersionKind, GroupVersionResource, Json, Str, Unstructured, json,
};

use super::*;
use crate::api::Propagation;
use crate::discovery::RestMapping;
use crate::fake_api::{FakeApi, Heard, Reply, json as answer, refuse, reply};
use crate::{Error, PathPart, RequestError, Verb};

fn pods() -> GroupVersionResource {
    GroupVersionResource::new("", "v1", "pods")
}

fn widgets() -> GroupVersionResource {
    GroupVersionResource::new("example.com", "v1", "widgets")
}

fn mapping(namespaced: bool) -> RestMapping {
    RestMapping {
        resource: widgets(),
        kind: GroupVersionKind::new("example.com", "v1", "Widget"),
        namespaced,
        singular: "widget".into(),
        short_names: [].into(),
        categories: [].into(),
        verbs: [].into(),
        subresources: Vec::new(),
    }
}

fn widget(name: &str) -> Unstructured {
    Unstructured::new("example.com/v1", "Widget", name)
}

/// Answers every request with one object.
fn echo() -> FakeApi {
    FakeApi::new(|_| answer(r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"}}"#))
}

#[tokio::test]
async fn t5_4_01_each_verb_in_the_cluster_in_a_namespace_and_on_a_part() {
    let api = echo();
    let client = DynamicClient::from_rest(api.client());
    let (cluster, inside) = (client.resource(widgets()), client.resource(widgets()).namespace("ns"));
    let core = client.resource(pods()).namespace("ns");
    let merge = Patch::Merge(json!({"a": 1}));
    cluster.get("a").resource_version("0").await.unwrap();
    inside.get("a").await.unwrap();
    core.get("a").await.unwrap();
    cluster.create(widget("a")).dry_run().field_manager("me").await.unwrap();
    inside.create(widget("a")).await.unwrap();
    inside.update(widget("a")).await.unwrap();
    inside.update_status(widget("a")).await.unwrap();
    inside.patch("a", &merge).await.unwrap();
    inside.apply(&widget("a"), "me").force().await.unwrap();
    inside.apply_status(&widget("a"), "me").await.unwrap();
    inside.delete("a").propagation(Propagation::Orphan).await.unwrap();
    inside.delete_collection().label_selector("x=y").await.unwrap();
    inside.subresource("a", ["scale"]).get().await.unwrap();
    inside.subresource("a", ["scale"]).update(widget("a")).await.unwrap();
    inside.subresource("a", ["scale"]).patch(&merge).await.unwrap();
    inside.subresource("a", ["one", "two"]).create(widget("a")).await.unwrap();
    cluster.subresource("a", ["status"]).apply(&Json::from(&widget("a")), "me").await.unwrap();
    let (all, one) = ("/apis/example.com/v1/widgets", "/apis/example.com/v1/namespaces/ns/widgets");
    assert_eq!(
        api.take_calls(),
        [
            format!("GET {all}/a?resourceVersion=0"),
            format!("GET {one}/a"),
            "GET /api/v1/namespaces/ns/pods/a".to_owned(),
            format!("POST {all}?dryRun=All&fieldManager=me"),
            format!("POST {one}"),
            format!("PUT {one}/a"),
            format!("PUT {one}/a/status"),
            format!("PATCH {one}/a"),
            format!("PATCH {one}/a?fieldManager=me&force=true"),
            format!("PATCH {one}/a/status?fieldManager=me&force=false"),
            format!("DELETE {one}/a"),
            format!("DELETE {one}?labelSelector=x%3Dy"),
            format!("GET {one}/a/scale"),
            format!("PUT {one}/a/scale"),
            format!("PATCH {one}/a/scale"),
            format!("POST {one}/a/one/two"),
            format!("PATCH {all}/a/status?fieldManager=me&force=false"),
        ]
    );
}

#[tokio::test]
async fn t5_4_02_events_are_objects_of_any_kind() {
    let api = FakeApi::new(|_| {
        answer(concat!(
            r#"{"type":"ADDED","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"x":1}}"#,
            "\n",
            r#"{"type":"DELETED","object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"}}}"#,
        ))
    });
    let mut watch = DynamicClient::from_rest(api.client())
        .resource(widgets())
        .watch()
        .resource_version("5")
        .await
        .unwrap();
    let Some(Ok(WatchEvent::Added(object))) = watch.next().await else { panic!("no event") };
    assert_eq!((object.kind(), object.object["x"].as_i64()), ("Widget", Some(1)));
    assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Deleted(_)))));
    assert_eq!(api.take_calls(), ["GET /apis/example.com/v1/widgets?resourceVersion=5&watch=true"]);
}

#[tokio::test]
async fn t5_4_03_a_patch_is_sent_unchanged() {
    let api = echo();
    let widgets = DynamicClient::from_rest(api.client()).resource(widgets());
    let edit: JsonPatch = JsonPatch::parse(br#"[{"op":"add","path":"/a","value":1}]"#).unwrap();
    for patch in [Patch::Json(edit), Patch::Merge(json!({"a": null})), Patch::Strategic(json!({"b": []}))] {
        widgets.patch("a", &patch).await.unwrap();
        let heard = api.heard().pop().unwrap();
        assert_eq!((heard.header("content-type"), heard.body.to_vec()), (patch.media_type(), patch.body()));
        assert_eq!(heard.header("accept"), "application/json");
    }
}

async fn refused<T>(request: impl std::future::IntoFuture<Output = Result<T, Error>>) -> RequestError {
    match request.await {
        Err(Error::Request(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was sent"),
    }
}

#[tokio::test]
async fn t5_4_04_an_invalid_name_is_not_sent() {
    let api = echo();
    let client = DynamicClient::from_rest(api.client());
    for bad in ["", ".", "..", "a/b", "a%2fb", "a%"] {
        let widgets = client.resource(widgets());
        refused(widgets.get(bad)).await;
        refused(widgets.delete(bad)).await;
        refused(widgets.namespace(bad).list()).await;
        refused(widgets.namespace(bad).get("a")).await;
        refused(widgets.update(widget(bad))).await;
        refused(widgets.apply(&widget(bad), "me")).await;
        refused(widgets.patch(bad, &Patch::Merge(json!({})))).await;
        refused(widgets.subresource(bad, ["status"]).get()).await;
        refused(widgets.subresource("a", [bad]).get()).await;
        refused(client.resource(GroupVersionResource::new("g", bad, "r")).list()).await;
        refused(client.resource(GroupVersionResource::new("g", "v", bad)).list()).await;
    }
    let widgets = client.resource(widgets());
    assert_eq!(refused(widgets.apply(&widget("a"), "")).await, RequestError::NoFieldManager);
    let none: [Str; 0] = [];
    assert_eq!(
        refused(widgets.subresource("a", none).get()).await,
        RequestError::Empty(PathPart::Subresource)
    );
    let mut read = widget("a");
    read.object.insert("metadata", json!({"name": "a", "managedFields": []}));
    refused(widgets.apply(&read, "me")).await;
    refused(widgets.apply(&Unstructured::new("", "", "a"), "me")).await;
    assert!(api.heard().is_empty());
}

#[tokio::test]
async fn the_scope_is_checked_where_it_is_known() {
    let api = echo();
    let client = DynamicClient::from_rest(api.client());
    let (namespaced, cluster) = (client.mapped(&mapping(true)), client.mapped(&mapping(false)));
    let text = refused(cluster.namespace("ns").list()).await.to_string();
    assert_eq!(
        text,
        "widgets.example.com are cluster-scoped, but the request has the namespace \"ns\": remove it"
    );
    let text = refused(namespaced.get("a")).await.to_string();
    assert!(
        text.starts_with("widgets.example.com are namespaced, so a name alone does not identify an object"),
        "{text}"
    );
    refused(namespaced.create(widget("a"))).await;
    refused(namespaced.delete_collection()).await;
    refused(namespaced.subresource("a", ["status"]).get()).await;
    let inside = namespaced.namespace("ns");
    let mut elsewhere = widget("a");
    elsewhere.set_namespace("other");
    let error = refused(inside.create(elsewhere)).await;
    assert!(
        matches!(&error, RequestError::Mismatch { field: "namespace", found, .. } if found == "other"),
        "{error}"
    );
    let error = refused(inside.update(Unstructured::new("v1", "Pod", "a"))).await;
    assert!(matches!(error, RequestError::Mismatch { field: "apiVersion", .. }), "{error}");
    assert!(api.heard().is_empty());
    // The handle fills in the fields that an object omits.
    inside.apply(&Unstructured::new("", "", "a"), "me").await.unwrap();
    let sent = Json::parse(&api.heard()[0].body).unwrap();
    assert_eq!(
        (sent["kind"].as_str(), sent["apiVersion"].as_str()),
        (Some("Widget"), Some("example.com/v1"))
    );
    cluster.get("a").await.unwrap();
    assert_eq!(inside.kind().unwrap().kind, "Widget");
    assert_eq!(
        inside.all_namespaces().request(Verb::Get).path_and_query("").unwrap(),
        "/apis/example.com/v1/widgets"
    );
}

#[tokio::test]
async fn items_of_a_list_have_their_kind() {
    let api = FakeApi::new(|_| {
        answer(
            r#"{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"7","continue":"c"},
                "items":[{"metadata":{"name":"a"}},{"apiVersion":"x/v1","kind":"X","metadata":{"name":"b"}}]}"#,
        )
    });
    let pods = DynamicClient::from_rest(api.client()).resource(pods());
    let list = pods.list().options(ListOptions { limit: 2, ..ListOptions::EMPTY }).await.unwrap();
    let kinds: Vec<_> = list.items.iter().map(|item| (item.api_version(), item.kind())).collect();
    assert_eq!(kinds, [("v1", "Pod"), ("x/v1", "X")]);
    assert_eq!((list.metadata.resource_version.as_str(), list.metadata.continue_.as_str()), ("7", "c"));
    assert_eq!(api.take_calls(), ["GET /api/v1/pods?limit=2"]);
}

#[tokio::test]
async fn t5_5_01_metadata_alone_or_taken_from_a_whole_object() {
    let metadata = ObjectMeta { name: "a".into(), uid: "u".into(), ..ObjectMeta::EMPTY };
    let partial = PartialObjectMetadata { metadata };
    let (as_json, as_protobuf) = (partial.encode(Format::Json), partial.encode(Format::Protobuf));
    let whole = r#"{"kind":"Widget","apiVersion":"example.com/v1","spec":{"big":[1,2]},
        "metadata":{"name":"a","uid":"u","creationTimestamp":"2026-01-01T00:00:00Z"}}"#;
    for (media, body) in [
        ("application/json", as_json),
        ("application/vnd.kubernetes.protobuf", as_protobuf),
        ("application/json", whole.as_bytes().to_vec()),
    ] {
        let api = FakeApi::new(move |_| reply(200, media, body.clone()));
        let client = MetadataClient::from_rest(api.client());
        let read = client.resource(widgets()).namespace("ns").get("a").await.unwrap();
        assert_eq!((read.metadata.name.as_str(), read.metadata.uid.as_str()), ("a", "u"));
        let accept = api.heard()[0].header("accept").to_owned();
        let types: Vec<_> = accept.split(',').collect();
        assert_eq!(
            types[0],
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
        );
        assert_eq!(
            types[1..],
            ["application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1", "application/json"]
        );
    }
    // A body without the metadata of an object is an error.
    for body in
        [r#"{"kind":"Widget","apiVersion":"x/v1","metadata":{"name":"a"}}"#, r#"{"kind":"Widget"}"#, "[]"]
    {
        let api = FakeApi::new(move |_| answer(body));
        let error = MetadataClient::from_rest(api.client()).resource(widgets()).get("a").await.unwrap_err();
        assert!(matches!(error, Error::Decode { .. }), "{error}");
    }
}

/// Like client-go: the caller gets the metadata, and other fields are dropped.
#[tokio::test]
async fn metadata_is_taken_out_of_a_list_of_whole_objects() {
    let api = FakeApi::new(|_| {
        answer(
            r#"{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"resourceVersion":"3"},"items":[
                {"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{"big":[1,2]}},
                {"metadata":{"name":"b"},"status":{}}]}"#,
        )
    });
    let list = MetadataClient::from_rest(api.client()).resource(widgets()).list().await.unwrap();
    let names: Vec<_> = list.items.iter().map(|item| item.metadata.name.as_str()).collect();
    assert_eq!((names, list.metadata.resource_version.as_str()), (vec!["a", "b"], "3"));
    assert_eq!(api.heard()[1].header("accept"), "application/json");
    assert_eq!(api.take_calls().len(), 2);
}

#[tokio::test]
async fn t5_5_03_metadata_of_a_namespace_and_of_the_cluster() {
    let api = FakeApi::new(|_| {
        answer(
            r#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"3"},
                "items":[{"metadata":{"name":"a","namespace":"ns"}}]}"#,
        )
    });
    let client = MetadataClient::from_rest(api.client());
    let list = client.resource(widgets()).list().await.unwrap();
    assert_eq!((list.items[0].metadata.name.as_str(), list.metadata.resource_version.as_str()), ("a", "3"));
    client.resource(widgets()).namespace("ns").list().label_selector("a=b").await.unwrap();
    let refused_scope = refused(client.mapped(&mapping(false)).namespace("ns").list()).await;
    assert!(matches!(refused_scope, RequestError::ClusterScoped { .. }));
    assert_eq!(
        api.heard()[0].header("accept").split(',').next(),
        Some("application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
    );
    assert_eq!(
        api.take_calls(),
        [
            "GET /apis/example.com/v1/widgets",
            "GET /apis/example.com/v1/namespaces/ns/widgets?labelSelector=a%3Db"
        ]
    );
}

/// Serves `deployments.apps` with a scale in `version`.
fn scaling(version: &'static str) -> FakeApi {
    let (group, short) = version.split_once('/').unwrap();
    FakeApi::new(move |heard: &Heard| -> Reply {
        let current = if version == "autoscaling/v1" {
            r#""selector":"a=b,c=d""#.to_owned()
        } else {
            r#""selector":{"a":"b","c":"d"},"targetSelector":"a=b,c=d""#.to_owned()
        };
        match heard.path() {
            "/api" => answer(r#"{"versions":["v1"]}"#),
            "/apis" => answer(
                r#"{"groups":[{"name":"apps","preferredVersion":{"groupVersion":"apps/v1","version":"v1"},
                    "versions":[{"groupVersion":"apps/v1","version":"v1"}]}]}"#,
            ),
            "/api/v1" => answer(r#"{"groupVersion":"v1","resources":[{"name":"nodes","kind":"Node"}]}"#),
            "/apis/apps/v1" => answer(format!(
                r#"{{"groupVersion":"apps/v1","resources":[
                    {{"name":"deployments","kind":"Deployment","namespaced":true,"shortNames":["deploy"]}},
                    {{"name":"deployments/scale","kind":"Scale","namespaced":true,"group":"{group}","version":"{short}"}}]}}"#
            )),
            "/apis/apps/v1/namespaces/ns/deployments/web/scale" => answer(format!(
                r#"{{"kind":"Scale","apiVersion":"{version}","metadata":{{"name":"web","namespace":"ns","resourceVersion":"9"}},
                    "spec":{{"replicas":3}},"status":{{"replicas":2,{current}}}}}"#
            )),
            _ => refuse(404, "NotFound"),
        }
    })
}

#[tokio::test]
async fn t5_6_01_any_version_of_scale_is_read_as_one_and_sent_in_its_own() {
    for version in ["autoscaling/v1", "extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"] {
        let api = scaling(version);
        let scales = ScaleClient::new(DynamicClient::from_rest(api.client()));
        let deployments = GroupResource::new("apps", "deployments");
        let mut scale = scales.get(&deployments, "ns", "web").await.unwrap();
        assert_eq!((scale.replicas(), scale.status_replicas(), scale.selector()), (3, 2, "a=b,c=d"));
        assert_eq!((scale.object.api_version(), scale.resource_version()), ("autoscaling/v1", "9"));
        scale.set_replicas(5);
        scales.update(&GroupResource::new("", "deploy"), &scale).await.unwrap();
        let sent = Json::parse(&api.heard().pop().unwrap().body).unwrap();
        assert_eq!(
            (sent["apiVersion"].as_str(), sent["spec"]["replicas"].as_i64()),
            (Some(version), Some(5))
        );
        let old = version != "autoscaling/v1";
        assert_eq!(sent["status"]["targetSelector"].as_str(), old.then_some("a=b,c=d"));
        assert_eq!(sent["status"]["selector"]["a"].as_str(), old.then_some("b"));
        scales
            .patch(&deployments, "ns", "web", &Patch::Merge(json!({"spec": {"replicas": 1}})))
            .await
            .unwrap();
        // Discovery runs once.
        let discoveries = api.take_calls().iter().filter(|call| *call == "GET /apis").count();
        assert_eq!(discoveries, 1);

        let error = scales.get(&GroupResource::new("", "nodes"), "", "n").await.unwrap_err();
        assert!(matches!(error, ScaleClientError::NotScalable(_)), "{error}");
        let error = scales.get(&GroupResource::new("", "nothing"), "", "n").await.unwrap_err();
        assert!(matches!(&error, ScaleClientError::Map(error) if error.is_no_match()), "{error}");
        for (namespace, name) in [("", "web"), ("ns", ""), ("..", "web"), ("ns", "a/b")] {
            let error = scales.get(&deployments, namespace, name).await.unwrap_err();
            assert!(matches!(error.request(), Some(Error::Request(_))), "{error}");
        }
        assert!(api.take_calls().is_empty());
    }
}

#[test]
fn t5_6_02_to_any_version_and_back() {
    let mut scale = Scale::new("ns", "web", 4);
    let mut object = Json::from(&scale.object);
    object.set(&["status"], json!({"replicas": 2, "selector": "a=b,c in (d,e)"})).unwrap();
    scale.object = Unstructured::try_from(object).unwrap();
    for version in ["autoscaling/v1", "extensions/v1beta1", "apps/v1beta1", "apps/v1beta2"] {
        let kind = GroupVersionKind::from_api_version(version, "Scale");
        let there = scale.to_version(&kind).unwrap();
        assert_eq!(there.api_version(), version);
        assert_eq!(Scale::from_object(there).unwrap(), scale, "{version}");
    }
    let other = GroupVersionKind::new("x", "v1", "Scale");
    assert_eq!(scale.to_version(&other), Err(ScaleError::Kind(other.clone())));
    assert!(Scale::from_object(widget("a")).is_err());
    let mut odd = Scale { object: Unstructured::from_json(br#"{"spec": 3}"#).unwrap() };
    assert_eq!((odd.replicas(), odd.selector()), (0, ""));
    odd.set_replicas(2);
    assert_eq!(odd.replicas(), 2);
}

#[tokio::test]
async fn handles_are_found_by_the_text_that_users_type() {
    let api = scaling("autoscaling/v1");
    let client = DynamicClient::from_rest(api.client());
    let deployments = client.find("deploy").await.unwrap();
    assert_eq!(deployments.resource().to_string(), "apps/v1, Resource=deployments");
    assert!(client.find("nope").await.unwrap_err().is_no_match());
    let mut object = Unstructured::new("apps/v1", "Deployment", "web");
    let place = client.of_object(&object, "default").await.unwrap();
    assert_eq!(
        place.request(Verb::Get).path_and_query("").unwrap(),
        "/apis/apps/v1/namespaces/default/deployments"
    );
    object.set_namespace("ns");
    let place = client.of_object(&object, "default").await.unwrap();
    assert_eq!(
        place.request(Verb::Get).path_and_query("").unwrap(),
        "/apis/apps/v1/namespaces/ns/deployments"
    );
    let node = client.of_object(&Unstructured::new("v1", "Node", "n"), "default").await.unwrap();
    assert_eq!(node.request(Verb::Get).path_and_query("").unwrap(), "/api/v1/nodes");
    let shared: Arc<Unstructured> = Arc::new(object);
    assert!(client.of_kind(&GroupVersionKind::new("apps", "v2", "Deployment")).await.is_err());
    assert!(deployments.namespace("ns").create(shared).await.unwrap_err().is_not_found());
}
