//! Handles against a server that records requests and answers with prepared responses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use client_rs_api::core::v1::{Binding, ConfigMap, Namespace, Node, Pod, PodList, PodLogOptions, Service};
use client_rs_machinery::meta::v1::{DeleteOptions, ListMeta, ListOptions, ObjectMeta, Status};
use client_rs_machinery::patch::{JsonPatch, Patch};
use client_rs_machinery::wire::{Format, Message, Payload, WatchEvent};
use client_rs_machinery::{Json, Str, json};
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{HeaderMap, Response, Uri};

use super::*;
use crate::{Error, PathPart, RequestError, RestClient, RestClientOptions, Verb};

/// Code and body.
type Said = (u16, Vec<u8>);
/// Method and path, headers, body.
type Heard = (String, HeaderMap, Bytes);

#[derive(Clone, Default)]
struct Server {
    replies: Arc<Mutex<VecDeque<Said>>>,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Server {
    fn new(replies: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let replies = replies.into_iter().map(|body| (200, body)).collect();
        Self { replies: Arc::new(Mutex::new(replies)), ..Self::default() }
    }

    fn rest(&self) -> RestClient {
        let server = self.clone();
        let service = tower::service_fn(move |request: http::Request<Body>| {
            let server = server.clone();
            async move {
                let (parts, body) = request.into_parts();
                let line = format!("{} {}", parts.method, parts.uri.path_and_query().unwrap());
                let body = body.bytes().await?;
                server.heard.lock().unwrap().push((line, parts.headers, body));
                let (status, body) =
                    server.replies.lock().unwrap().pop_front().unwrap_or((200, b"{}".to_vec()));
                let response = Response::builder().status(status).header("content-type", "application/json");
                Ok::<_, TransportError>(response.body(Body::from(body)).unwrap())
            }
        });
        let url: Uri = "https://k8s.example".parse().unwrap();
        let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
        let options = RestClientOptions { limiter: None, url_backoff: None, ..RestClientOptions::default() };
        RestClient::with_options(&url, transport, options).unwrap()
    }

    fn pods(&self) -> Api<Pod> {
        Api::<Pod>::namespaced(&self.rest(), "ns")
    }

    /// The request lines since the last call.
    fn lines(&self) -> Vec<String> {
        self.heard.lock().unwrap().drain(..).map(|(line, ..)| line).collect()
    }

    fn last(&self) -> Heard {
        self.heard.lock().unwrap().last().unwrap().clone()
    }
}

fn pod(name: &str) -> Pod {
    Pod { metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY }, ..Pod::default() }
}

fn success() -> Vec<u8> {
    Status { status: "Success".into(), ..Status::EMPTY }.to_json()
}

fn merge() -> Patch {
    Patch::Merge(json!({"metadata": {"labels": {"a": "b"}}}))
}

#[test]
fn handles_and_requests_can_go_anywhere() {
    fn anywhere<T: Send + Sync + Clone + 'static>(_: &T) {}
    fn to_a_task<T: Send + 'static>(_: T) {}
    let rest = Server::default().rest();
    let pods = Api::<Pod>::namespaced(&rest, "ns");
    anywhere(&pods);
    anywhere(&pods.all_namespaces());
    anywhere(&pods.status("a"));
    to_a_task(pods.get("a").send());
    to_a_task(pods.watch().send());
    to_a_task(pods.pages());
    to_a_task(pods.create(pod("a")).send());
}

#[tokio::test]
async fn every_method_sends_its_verb_to_the_path_of_its_scope() {
    let server = Server::default();
    let (rest, pods) = (server.rest(), server.pods());
    let nodes = Api::<Node>::cluster(&rest);
    let all = pods.all_namespaces();
    let config = json!({"metadata": {"name": "a"}});
    let _ = pods.get("a").await;
    let _ = nodes.get("a").resource_version("0").await;
    let _ = pods.list().label_selector("app=web").limit(5).await;
    let _ = all.list().field_selector("spec.nodeName=n").await;
    let _ = nodes.list().await;
    let _ = all.list_stream().resource_version_match(ResourceVersionMatch::Exact).resource_version("7").await;
    let _ = all.watch().resource_version("7").await;
    let _ = pods.watch().await;
    let _ = pods.create(pod("a")).field_manager("me").dry_run().await;
    let _ = pods.update(Arc::new(pod("a"))).field_validation(FieldValidation::Strict).await;
    let _ = pods.update_status(pod("a")).await;
    let _ = pods.patch("a", &merge()).field_manager("me").await;
    let _ = pods.patch_status("a", &merge()).await;
    let _ = pods.apply(&config, "me").force().await;
    let _ = pods.apply_status(&config, "me").dry_run().await;
    let _ = pods.delete("a").await;
    let _ = pods.delete_collection().label_selector("app=web").await;
    let _ = pods.namespace("other").get("a").await;
    let _ = pods.get("a").timeout(Duration::from_secs(2)).await;
    let _ = nodes.list().options(ListOptions { timeout_seconds: Some(3), ..ListOptions::EMPTY }).await;
    assert_eq!(
        server.lines(),
        [
            "GET /api/v1/namespaces/ns/pods/a",
            "GET /api/v1/nodes/a?resourceVersion=0",
            "GET /api/v1/namespaces/ns/pods?labelSelector=app%3Dweb&limit=5",
            "GET /api/v1/pods?fieldSelector=spec.nodeName%3Dn",
            "GET /api/v1/nodes",
            "GET /api/v1/pods?resourceVersion=7&resourceVersionMatch=Exact",
            "GET /api/v1/pods?resourceVersion=7&watch=true",
            "GET /api/v1/namespaces/ns/pods?watch=true",
            "POST /api/v1/namespaces/ns/pods?dryRun=All&fieldManager=me",
            "PUT /api/v1/namespaces/ns/pods/a?fieldValidation=Strict",
            "PUT /api/v1/namespaces/ns/pods/a/status",
            "PATCH /api/v1/namespaces/ns/pods/a?fieldManager=me",
            "PATCH /api/v1/namespaces/ns/pods/a/status",
            "PATCH /api/v1/namespaces/ns/pods/a?fieldManager=me&force=true",
            "PATCH /api/v1/namespaces/ns/pods/a/status?dryRun=All&fieldManager=me&force=false",
            "DELETE /api/v1/namespaces/ns/pods/a",
            "DELETE /api/v1/namespaces/ns/pods?labelSelector=app%3Dweb",
            "GET /api/v1/namespaces/other/pods/a",
            "GET /api/v1/namespaces/ns/pods/a?timeout=2s",
            "GET /api/v1/nodes?timeout=3s&timeoutSeconds=3",
        ]
    );
}

#[tokio::test]
async fn every_subresource_has_its_path() {
    let server = Server::default();
    let (rest, pods) = (server.rest(), server.pods());
    let _ = pods.status("a").get().await;
    let _ = pods.ephemeral_containers("a").update(pod("a")).await;
    let _ = pods.resize("a").patch(&merge()).await;
    let _ = pods.binding("a").create(Binding::default()).await;
    let _ = Api::<Namespace>::cluster(&rest).finalize("a").update(Namespace::default()).await;
    let options = PodLogOptions { follow: true, tail_lines: Some(5), ..PodLogOptions::EMPTY };
    let _ = pods.log("a").options(options).await;
    let _ = pods.proxy("https:a:8443", Verb::Get, "/healthz/etcd").param("verbose", "1").await;
    let _ = Api::<Service>::namespaced(&rest, "ns").proxy("a", Verb::Post, "").body(b"x".to_vec()).await;
    let _ = Api::<Node>::cluster(&rest).proxy("a:10250", Verb::Get, "metrics/").await;
    assert_eq!(
        server.lines(),
        [
            "GET /api/v1/namespaces/ns/pods/a/status",
            "PUT /api/v1/namespaces/ns/pods/a/ephemeralcontainers",
            "PATCH /api/v1/namespaces/ns/pods/a/resize",
            "POST /api/v1/namespaces/ns/pods/a/binding",
            "PUT /api/v1/namespaces/a/finalize",
            "GET /api/v1/namespaces/ns/pods/a/log?follow=true&tailLines=5",
            "GET /api/v1/namespaces/ns/pods/https:a:8443/proxy/healthz/etcd?verbose=1",
            "POST /api/v1/namespaces/ns/services/a/proxy",
            "GET /api/v1/nodes/a:10250/proxy/metrics",
        ]
    );
}

#[tokio::test]
async fn a_name_that_would_change_the_url_never_reaches_the_wire() {
    let server = Server::default();
    let (rest, pods) = (server.rest(), server.pods());
    for bad in ["..", ".", "a/b", "a/../b", "%2e%2e", ""] {
        let namespaced = Api::<Pod>::namespaced(&rest, bad);
        let config = json!({"metadata": {"name": bad}});
        for error in [
            pods.get(bad).await.unwrap_err(),
            pods.update(pod(bad)).await.unwrap_err(),
            pods.update_status(pod(bad)).await.unwrap_err(),
            pods.patch(bad, &merge()).await.unwrap_err(),
            pods.apply(&config, "me").await.unwrap_err(),
            pods.delete(bad).await.unwrap_err(),
            pods.status(bad).get().await.unwrap_err(),
            pods.log(bad).await.unwrap_err(),
            pods.proxy(bad, Verb::Get, "").await.unwrap_err(),
        ] {
            let refused = matches!(
                &error,
                Error::Request(
                    RequestError::Empty(PathPart::Name) | RequestError::Segment { part: PathPart::Name, .. }
                )
            );
            assert!(refused, "{bad:?}: {error}");
        }
        for error in [
            namespaced.list().await.unwrap_err(),
            namespaced.watch().await.unwrap_err(),
            namespaced.pages().try_next().await.unwrap_err(),
            namespaced.create(pod("a")).await.unwrap_err(),
            namespaced.delete_collection().await.unwrap_err(),
            namespaced.get("a").await.unwrap_err(),
        ] {
            let refused = matches!(
                &error,
                Error::Request(
                    RequestError::Empty(PathPart::Namespace)
                        | RequestError::Segment { part: PathPart::Namespace, .. }
                )
            );
            assert!(refused, "{bad:?}: {error}");
        }
    }
    for path in ["../secrets", "a/../../b", "a%2f..", "./a"] {
        let error = pods.proxy("a", Verb::Get, path).await.unwrap_err();
        assert!(matches!(error, Error::Request(RequestError::Segment { .. })), "{path}: {error}");
    }
    assert_eq!(server.lines(), [""; 0]);
}

#[tokio::test]
async fn a_delete_returns_the_object_or_a_status() {
    let mut going = pod("a");
    going.metadata.deletion_timestamp = client_rs_machinery::Time::new(5, 0);
    let list = PodList { items: [pod("a"), pod("b")].into(), ..PodList::default() };
    let server = Server::new([going.to_json(), success(), list.to_json(), success()]);
    let pods = server.pods();
    let delete = pods.delete("a").propagation(Propagation::Foreground).if_uid("u").if_resource_version("7");
    assert_eq!(delete.grace_period(Duration::ZERO).dry_run().await.unwrap().object(), Some(going));
    let (_, headers, body) = server.last();
    assert_eq!(headers["content-type"], "application/vnd.kubernetes.protobuf");
    let sent =
        DeleteOptions::decode(Format::Protobuf, &body, &mut client_rs_machinery::wire::Decoding::new());
    let sent = Json::from_message(&sent.unwrap()).unwrap();
    assert_eq!(
        sent,
        json!({
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "gracePeriodSeconds": 0,
            "preconditions": {"uid": "u", "resourceVersion": "7"},
            "propagationPolicy": "Foreground",
            "dryRun": ["All"],
        })
    );
    assert!(matches!(pods.delete("a").await.unwrap(), DeleteResponse::Status(_)));
    let deleted = pods.delete_collection().await.unwrap().object().unwrap();
    assert_eq!(deleted.items, [pod("a"), pod("b")]);
    assert!(matches!(pods.delete_collection().await.unwrap(), DeleteResponse::Status(_)));
}

#[tokio::test]
async fn a_binding_is_answered_with_a_status_only() {
    let server = Server::new([success(), success()]);
    let binding = Binding { metadata: pod("a").metadata, ..Binding::default() };
    let bindings = Api::<Binding>::namespaced(&server.rest(), "ns");
    assert_eq!(bindings.create(binding.clone()).await.unwrap(), binding);
    let status = server.pods().binding("a").create(binding).await.unwrap();
    assert_eq!(status.status, "Success");
}

#[tokio::test]
async fn an_invalid_apply_configuration_is_refused_before_it_is_sent() {
    let server = Server::default();
    let pods = server.pods();
    let named = |more: Json| {
        let mut config = json!({"metadata": {"name": "a"}});
        for (key, value) in more.as_map().unwrap() {
            config.set(&[key.as_str()], value.clone()).unwrap();
        }
        config
    };
    for (config, expected) in [
        (json!([]), RequestError::Apply(ApplyConfigurationError::NotAnObject)),
        (json!({"metadata": {}}), RequestError::Empty(PathPart::Name)),
        (json!({"metadata": 5}), RequestError::Empty(PathPart::Name)),
        (
            named(json!({"apiVersion": "v2"})),
            RequestError::Apply(ApplyConfigurationError::Kind {
                expected: "v1 Pod".into(),
                found: "v2 ".into(),
            }),
        ),
        (
            named(json!({"kind": "Node"})),
            RequestError::Apply(ApplyConfigurationError::Kind {
                expected: "v1 Pod".into(),
                found: " Node".into(),
            }),
        ),
        (
            named(json!({"metadata": {"name": "a", "managedFields": []}})),
            RequestError::Apply(ApplyConfigurationError::ManagedFields),
        ),
        (
            named(json!({"metadata": {"name": "a", "namespace": "other"}})),
            RequestError::Apply(ApplyConfigurationError::Mismatch {
                field: "namespace",
                expected: "ns".into(),
                found: "other".into(),
            }),
        ),
    ] {
        let Error::Request(error) = pods.apply(&config, "me").await.unwrap_err() else {
            panic!("{config:?}")
        };
        assert_eq!(error, expected);
    }
    let error = pods.apply(named(json!({})), "").await.unwrap_err();
    assert!(matches!(error, Error::Request(RequestError::NoFieldManager)));
    let elsewhere = pods.status("b").apply(named(json!({})), "me").await.unwrap_err();
    assert!(matches!(
        elsewhere,
        Error::Request(RequestError::Apply(ApplyConfigurationError::Mismatch { .. }))
    ));
    assert_eq!(server.lines(), [""; 0]);

    let _ = pods.apply(named(json!({"spec": {}})), "me").await;
    let (_, headers, body) = server.last();
    assert_eq!(headers["content-type"], "application/apply-patch+yaml");
    let sent = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {}});
    assert_eq!(Json::parse(&body).unwrap(), sent);
}

#[tokio::test]
async fn patches_of_every_kind_carry_their_media_type() {
    let server = Server::default();
    let pods = server.pods();
    let add = JsonPatch::from_json(&json!([{"op": "remove", "path": "/a"}])).unwrap();
    for patch in [add.into(), merge(), Patch::Strategic(json!({"a": 1})), Patch::force_apply(json!({"a": 1}))]
    {
        let _ = pods.patch("a", &patch).field_manager("me").await;
        let (line, headers, body) = server.last();
        assert_eq!(headers["content-type"], patch.media_type());
        assert_eq!((body.to_vec(), line.contains("force=true")), (patch.body(), patch.is_forced()));
    }
}

#[tokio::test]
async fn pages_follow_the_token_and_keep_the_selector() {
    let page = |name: &str, token: &str| {
        let metadata = ListMeta { continue_: token.into(), resource_version: "7".into(), ..ListMeta::EMPTY };
        PodList { items: [pod(name)].into(), metadata }.to_json()
    };
    let server = Server::new([page("a", "t1"), page("b", "t2"), page("c", "")]);
    let options =
        ListOptions { label_selector: "x".into(), resource_version: "5".into(), ..ListOptions::EMPTY };
    let mut pages = server.pods().pages().options(options);
    let mut names: Vec<Str> = Vec::new();
    while let Some(page) = pages.try_next().await.unwrap() {
        names.extend(page.items.iter().map(|pod| pod.metadata.name.clone()));
    }
    assert_eq!(names, ["a", "b", "c"]);
    assert!(pages.try_next().await.unwrap().is_none());
    assert_eq!(
        server.lines(),
        [
            "GET /api/v1/namespaces/ns/pods?labelSelector=x&limit=500&resourceVersion=5",
            "GET /api/v1/namespaces/ns/pods?continue=t1&labelSelector=x&limit=500",
            "GET /api/v1/namespaces/ns/pods?continue=t2&labelSelector=x&limit=500",
        ]
    );
    let server = Server::default();
    server.replies.lock().unwrap().push_back((410, b"{}".to_vec()));
    let mut pages = server.pods().pages();
    assert!(pages.try_next().await.is_err());
    assert!(pages.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_watch_returns_typed_events() {
    let line = json!({"type": "ADDED", "object": Json::from_message(&pod("a")).unwrap()});
    let server = Server::new([line.to_vec()]);
    let mut watch = server.pods().watch().await.unwrap();
    let Some(Ok(WatchEvent::Added(seen))) = watch.next().await else { panic!() };
    assert_eq!(seen, pod("a"));
}

#[tokio::test]
async fn a_log_arrives_as_bytes_or_line_by_line() {
    let text = b"one\r\n\ntwo\xff\nthree".to_vec();
    let long = vec![b'x'; LogLines::MAX_LINE + 5];
    let server = Server::new([text.clone(), text.clone(), long.clone()]);
    let pods = server.pods();
    assert_eq!(pods.log("a").await.unwrap().bytes().await.unwrap(), text);
    let mut lines = pods.log("a").await.unwrap().lines();
    let mut seen = Vec::new();
    while let Some(line) = lines.try_next().await.unwrap() {
        seen.push(line);
    }
    assert_eq!(seen, [&b"one"[..], b"", b"two\xff", b"three"]);
    let mut lines = pods.log("a").await.unwrap().lines();
    assert_eq!(lines.try_next().await.unwrap().unwrap().len(), LogLines::MAX_LINE);
    assert_eq!(lines.try_next().await.unwrap().unwrap().len(), 5);
    assert!(lines.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_kind_without_protobuf_sends_json_only() {
    // Stands for a custom resource: only the formats of the kind matter.
    let server = Server::new([success()]);
    let maps = Api::<ConfigMap>::namespaced(&server.rest(), "ns");
    let request = maps.delete("a").into_request();
    assert!(request.own_headers().get("content-type").is_none());
    let request = options::delete::<client_rs_machinery::Unstructured>(request, &DeleteOptions::EMPTY);
    assert_eq!(request.own_headers()["content-type"], "application/json");
}
