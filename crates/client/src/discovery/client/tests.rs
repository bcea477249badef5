//! Discovery requests to a fake server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use client_rs_machinery::GroupVersionResource;

use super::*;
use crate::fake_api::{FakeApi, Heard, Reply, json, refuse, reply};

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// A server without aggregated discovery: one request per version.
fn classic(heard: &Heard) -> Reply {
    match heard.path() {
        "/api" => json(r#"{"kind": "APIVersions", "versions": ["v1"]}"#),
        "/apis" => json(
            r#"{"kind": "APIGroupList", "apiVersion": "v1", "groups": [
                {"name": "apps", "preferredVersion": {"groupVersion": "apps/v1", "version": "v1"},
                 "versions": [{"groupVersion": "apps/v1", "version": "v1"},
                              {"groupVersion": "apps/v1beta1", "version": "v1beta1"}]},
                {"name": "extra", "versions": [{"groupVersion": "extra/v2", "version": "v2"},
                                               {"groupVersion": "extra/v1", "version": "v1"}]}]}"#,
        ),
        "/api/v1" => resources("v1", &[("pods", true), ("pods/log", true), ("nodes", false)]),
        "/apis/apps/v1" => resources("apps/v1", &[("deployments", true)]),
        "/apis/apps/v1beta1" => resources("apps/v1beta1", &[("deployments", true), ("olds", false)]),
        "/apis/extra/v2" => resources("extra/v2", &[("both", false)]),
        "/apis/extra/v1" => resources("extra/v1", &[("both", false), ("single", true)]),
        _ => refuse(404, "NotFound"),
    }
}

fn resources(version: &str, names: &[(&str, bool)]) -> Reply {
    let one = |(name, namespaced): &(&str, bool)| {
        format!(r#"{{"name": "{name}", "namespaced": {namespaced}, "kind": "K", "verbs": ["get"]}}"#)
    };
    let all: Vec<_> = names.iter().map(one).collect();
    json(format!(
        r#"{{"kind": "APIResourceList", "groupVersion": "{version}", "resources": [{}]}}"#,
        all.join(",")
    ))
}

/// A server with aggregated discovery: one document per path.
fn aggregated(heard: &Heard) -> Reply {
    let document = match heard.path() {
        "/api" => {
            r#"{"items": [{"metadata": {}, "versions": [{"version": "v1", "resources": [
                {"resource": "pods", "scope": "Namespaced", "verbs": ["get"], "singularResource": "pod",
                 "responseKind": {"group": "", "version": "v1", "kind": "Pod"}}]}]}]}"#
        }
        "/apis" => {
            r#"{"items": [
                {"metadata": {"name": "apps"}, "versions": [
                    {"version": "v1", "resources": [
                        {"resource": "deployments", "scope": "Namespaced", "verbs": ["get"],
                         "responseKind": {"group": "apps", "version": "v1", "kind": "Deployment"}}]},
                    {"version": "v1beta1", "freshness": "Stale"}]}]}"#
        }
        _ => return refuse(404, "NotFound"),
    };
    reply(200, AGGREGATED, document.to_owned())
}

fn client(api: &FakeApi) -> DiscoveryClient {
    DiscoveryClient::from_rest(api.client())
}

fn names(found: &ServerResources) -> Vec<String> {
    let of = |list: &APIResourceList| -> Vec<String> {
        list.resources.iter().map(|resource| format!("{} {}", list.group_version, resource.name)).collect()
    };
    found.lists.iter().flat_map(of).collect()
}

#[tokio::test]
async fn t5_1_01_the_version_is_read_and_a_malformed_one_is_an_error() {
    let api = FakeApi::new(|_| {
        json(
            r#"{"major": "1", "minor": "37+", "gitVersion": "v1.37.1", "platform": "linux/amd64", "x": [1]}"#,
        )
    });
    let version = client(&api).server_version().await.unwrap();
    assert_eq!((version.numbers(), version.to_string()), (Some((1, 37)), "v1.37.1".to_owned()));
    let nonsense = FakeApi::new(|_| json("<html>"));
    let error = client(&nonsense).server_version().await.unwrap_err();
    assert!(matches!(&error, DiscoveryError::Document { path, .. } if path == "/version"), "{error}");
}

#[tokio::test]
async fn t5_1_02_a_server_with_the_core_group_only() {
    let api = FakeApi::new(|heard| match heard.path() {
        "/apis" => json(r#"{"kind": "APIGroupList", "groups": []}"#),
        _ => classic(heard),
    });
    let found = client(&api).server_resources().await.unwrap();
    assert_eq!(names(&found), ["v1 pods", "v1 pods/log", "v1 nodes"]);
    assert_eq!(found.groups[0].preferred_version.version, "v1");
}

#[tokio::test]
async fn t5_1_03_no_core_group_leaves_the_others() {
    for status in [404, 403] {
        let api = FakeApi::new(move |heard| match heard.path() {
            "/api" => refuse(status, if status == 404 { "NotFound" } else { "Forbidden" }),
            _ => classic(heard),
        });
        let found = client(&api).groups().await;
        if status == 404 {
            let found = found.unwrap();
            let groups: Vec<_> = found.groups.iter().map(|group| group.name.as_str()).collect();
            assert_eq!((groups, found.resources), (vec!["apps", "extra"], None));
        } else {
            assert!(found.is_err());
        }
    }
}

#[tokio::test]
async fn t5_1_04_t5_1_05_any_other_failure_is_an_error() {
    for (path, status) in [("/apis", 404), ("/apis", 500), ("/api", 500), ("/api", 401)] {
        let api =
            FakeApi::new(
                move |heard| {
                    if heard.path() == path { refuse(status, "Whatever") } else { classic(heard) }
                },
            );
        let error = client(&api).server_resources().await.unwrap_err();
        assert_eq!(
            error.request().and_then(|error| error.api()).map(client_rs_machinery::ApiError::code),
            Some(i32::from(status))
        );
    }
    let nonsense = FakeApi::new(|heard| if heard.path() == "/apis" { json("[") } else { classic(heard) });
    assert!(matches!(client(&nonsense).groups().await, Err(DiscoveryError::Document { .. })));
}

#[test]
fn t5_1_06_a_time_limit_and_a_burst_where_the_config_has_none() {
    let mut config = Config::new("https://k8s.example".parse().unwrap());
    let ours = discovery_config(&config);
    assert_eq!((ours.timeout, ours.burst), (Some(DiscoveryClient::DEFAULT_TIMEOUT), 300));
    config.timeout = Some(Duration::from_secs(3));
    for burst in [7, Config::DEFAULT_BURST] {
        config.burst = burst;
        let ours = discovery_config(&config);
        assert_eq!((ours.timeout, ours.burst), (config.timeout, burst));
    }
}

#[tokio::test]
async fn t5_1_07_one_version_and_tolerated_errors() {
    let api = FakeApi::new(
        |heard| if heard.path() == "/api/v1" { refuse(404, "NotFound") } else { classic(heard) },
    );
    let client = client(&api);
    let core = client.resources_for(&GroupVersion::new("", "v1")).await.unwrap();
    assert_eq!((core.group_version.as_str(), core.resources.len()), ("v1", 0));
    let apps = client.resources_for(&GroupVersion::new("apps", "v1")).await.unwrap();
    assert_eq!(apps.resources[0].name, "deployments");
    assert!(client.resources_for(&GroupVersion::new("none", "v1")).await.unwrap_err().is_not_found());
    let gvr = |group: &str, resource: &str| GroupVersionResource::new(group, "v1", resource);
    assert!(client.is_resource_enabled(&gvr("apps", "deployments")).await.unwrap());
    assert!(!client.is_resource_enabled(&gvr("apps", "others")).await.unwrap());
    assert!(!client.is_resource_enabled(&gvr("none", "others")).await.unwrap());
    api.take_calls();
    for (group, version) in [("", ""), ("apps", ".."), ("a/b", "v1"), ("..", "v1"), ("a", "v1?x=y%2f")] {
        assert!(client.resources_for(&GroupVersion::new(group, version)).await.is_err(), "{group} {version}");
    }
    assert_eq!(api.take_calls(), Vec::<String>::new());
}

#[tokio::test]
async fn t5_1_08_documents_are_requested_in_their_media_type() {
    let api = FakeApi::new(|_| reply(200, "application/octet-stream", "bytes".to_owned()));
    assert_eq!(client(&api).openapi_v2().await.unwrap(), "bytes");
    let heard = &api.heard()[0];
    assert_eq!(heard.path(), "/openapi/v2");
    assert_eq!(heard.header("accept"), "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
}

#[tokio::test]
async fn t5_1_09_preferred_resources_with_retries_and_partial_failure() {
    let found = client(&FakeApi::new(classic)).server_resources().await.unwrap();
    assert_eq!(
        names(&found.preferred()),
        [
            "v1 pods",
            "v1 nodes",
            "apps/v1 deployments",
            "apps/v1beta1 olds",
            "extra/v2 both",
            "extra/v1 single"
        ]
    );
    assert!(found.complete().is_ok());

    // After a version fails once, everything is requested again.
    let tries = Arc::new(AtomicUsize::new(0));
    let failing = |most: usize| {
        let tries = tries.clone();
        tries.store(0, Ordering::SeqCst);
        FakeApi::new(move |heard| {
            let fails = heard.path() == "/apis/apps/v1" && tries.fetch_add(1, Ordering::SeqCst) < most;
            if fails { refuse(500, "InternalError") } else { classic(heard) }
        })
    };
    let found = client(&failing(1)).server_resources().await.unwrap();
    assert!(found.failed.is_empty() && tries.load(Ordering::SeqCst) == 2);

    // A version that keeps failing does not affect the others, and an older version is preferred instead.
    let found = client(&failing(9)).server_resources().await.unwrap();
    assert_eq!(tries.load(Ordering::SeqCst), 2);
    assert_eq!(found.failed.keys().map(ToString::to_string).collect::<Vec<_>>(), ["apps/v1"]);
    assert!(names(&found.preferred()).contains(&"apps/v1beta1 deployments".to_owned()));
    let partial = found.complete().unwrap_err();
    let text = partial.to_string();
    assert!(text.starts_with("unable to retrieve the complete list of server APIs: apps/v1: "), "{text}");
    assert_eq!(partial.found.lists.len(), 4);
}

#[tokio::test]
async fn t5_1_10_only_namespaced_resources_remain() {
    let found = client(&FakeApi::new(classic)).server_resources().await.unwrap();
    assert_eq!(names(&found.preferred().namespaced()), ["v1 pods", "apps/v1 deployments", "extra/v1 single"]);
    assert!(names(&found.with_verbs(&["get", "watch"])).is_empty());
    assert_eq!(found.with_verbs(&["get"]).lists.len(), 5);
    let groups = client(&FakeApi::new(classic)).groups().await.unwrap();
    assert!(groups.supports_version(&GroupVersion::new("apps", "v1")));
    assert!(!groups.supports_version(&GroupVersion::new("apps", "v9")));
    assert!(ServerGroups::default().supports_version(&GroupVersion::new("apps", "v9")));
}

#[tokio::test]
async fn t5_1_11_aggregated_discovery_needs_one_document() {
    let api = FakeApi::new(aggregated);
    let client =
        DiscoveryClient::with_options(api.client(), DiscoveryOptions { attempts: 1, ..Default::default() });
    let found = client.server_resources().await.unwrap();
    let mut calls = api.take_calls();
    calls.sort();
    assert_eq!(calls, ["GET /api", "GET /apis"]);
    assert_eq!(names(&found), ["v1 pods", "apps/v1 deployments"]);
    assert!(matches!(found.failed.values().next(), Some(DiscoveryError::Stale(_))));
    let version = GroupVersion::new("apps", "v1");
    assert_eq!(found.find(&version, "deployments").unwrap().kind, "Deployment");
    assert!(found.find(&version, "none").is_none());

    // If only one of the two paths has an aggregated document, there is one request per version.
    let mixed =
        FakeApi::new(|heard| if heard.path() == "/apis" { aggregated(heard) } else { classic(heard) });
    let found = super::tests::client(&mixed).server_resources().await.unwrap();
    assert!(mixed.take_calls().contains(&"GET /apis/apps/v1".to_owned()));
    assert_eq!(found.lists.len(), 2);
}

#[tokio::test]
async fn t5_1_13_legacy_mode_never_requests_aggregated_discovery() {
    let asked = |options: DiscoveryOptions| async {
        let api = FakeApi::new(classic);
        DiscoveryClient::with_options(api.client(), options).groups().await.unwrap();
        let accepts: Vec<_> = api.heard().iter().map(|heard| heard.header("accept").to_owned()).collect();
        assert_eq!(accepts[0], accepts[1]);
        accepts[0].clone()
    };
    assert_eq!(asked(DiscoveryOptions { legacy: true, ..Default::default() }).await, "application/json");
    let both = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
                application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
    assert_eq!(asked(DiscoveryOptions::default()).await, both);
    let no_peer = asked(DiscoveryOptions { no_peer: true, ..Default::default() }).await;
    assert_eq!(no_peer, format!("{AGGREGATED};profile=nopeer,{both}"));
}
