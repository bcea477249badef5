use client_rs_api::core::v1::{Namespace, Pod};
use client_rs_machinery::meta::v1::{CreateOptions, ListOptions};

use super::*;

fn url(request: &Request) -> String {
    request.path_and_query("").unwrap()
}

fn pods() -> Request {
    Request::get().api("", "v1").resource("pods")
}

#[test]
fn t3_3_02_a_header_replaces_its_previous_value() {
    let request = Request::get().header(http::header::ACCEPT, "a").header(http::header::ACCEPT, "b");
    let values: Vec<_> = request.own_headers().get_all(http::header::ACCEPT).iter().collect();
    assert_eq!(values, ["b"]);
    let bad = Request::get().header(http::header::ACCEPT, "a\nb");
    assert_eq!(bad.error(), Some(&RequestError::Header(http::header::ACCEPT)));
}

#[test]
fn t3_3_03_the_first_mistake_sticks_and_later_setters_change_nothing() {
    let request = pods().name("").name("..").resource("services").param("a", "b");
    assert_eq!(request.error(), Some(&RequestError::Empty(PathPart::Name)));
    assert_eq!(request.path_and_query(""), Err(RequestError::Empty(PathPart::Name)));
    assert!(request.parts.params.is_empty());
}

#[test]
fn t3_3_04_a_base_path_with_or_without_a_slash_is_the_same() {
    for base in ["/k8s/a", "/k8s/a/", "k8s/a"] {
        assert_eq!(pods().path_and_query(base).unwrap(), "/k8s/a/api/v1/pods");
    }
    for base in ["", "/"] {
        assert_eq!(pods().path_and_query(base).unwrap(), "/api/v1/pods");
    }
}

#[test]
fn t3_3_05_segments_are_joined_under_the_base_and_one_slash_is_kept() {
    for (request, expected) in [
        (Request::get().abs_path(["/foo"]), "/base/foo"),
        (Request::get().abs_path(["/foo/"]), "/base/foo/"),
        (Request::get().abs_path(["/foo//"]), "/base/foo/"),
        (Request::get().abs_path(["/foo", "bar/"]), "/base/foo/bar"),
        (Request::get().abs_path(["foo", "..", "bar"]), "/base/bar"),
        (Request::get().abs_path(["/"]), "/base"),
        (Request::get().prefix(["p", "q"]).suffix(["s"]).resource("pods"), "/base/p/q/pods/s"),
        (Request::get().abs_path(["/foo/"]).resource("pods"), "/base/foo/pods"),
    ] {
        assert_eq!(request.path_and_query("/base").unwrap(), expected);
    }
}

#[test]
fn t3_3_06_the_order_in_the_url_does_not_follow_the_calls() {
    let expected = "/apis/apps/v1/namespaces/ns/deployments/web/status/x";
    let one = Request::get()
        .api("apps", "v1")
        .namespace("ns")
        .resource("Deployments")
        .name("web")
        .subresource(["status", "x"]);
    let two = Request::get()
        .subresource(["status", "x"])
        .name("web")
        .resource("deployments")
        .namespace("ns")
        .api("apps", "v1");
    assert_eq!((url(&one).as_str(), url(&two).as_str()), (expected, expected));
    assert_eq!(url(&Request::get().of::<Pod>().namespace("a")), "/api/v1/namespaces/a/pods");
    assert_eq!(url(&Request::get().of::<Namespace>().name("a")), "/api/v1/namespaces/a");
}

#[test]
fn t3_3_07_each_part_is_set_once() {
    for (request, part) in [
        (pods().resource("services"), PathPart::Resource),
        (pods().namespace("a").namespace("b"), PathPart::Namespace),
        (pods().name("a").name("b"), PathPart::Name),
        (pods().subresource(["a"]).subresource(["b"]), PathPart::Subresource),
    ] {
        assert_eq!(request.error(), Some(&RequestError::Twice(part)));
    }
}

#[test]
fn t3_3_08_an_invalid_segment_is_refused_everywhere() {
    for bad in [".", "..", "a/b", "a%b"] {
        for (request, part) in [
            (Request::get().resource(bad), PathPart::Resource),
            (pods().namespace(bad), PathPart::Namespace),
            (pods().name(bad), PathPart::Name),
            (pods().subresource([bad]), PathPart::Subresource),
            (Request::get().api(bad, "v1"), PathPart::Group),
            (Request::get().api("", bad), PathPart::Version),
        ] {
            let refused =
                matches!(request.error(), Some(RequestError::Segment { part: found, .. }) if *found == part);
            assert!(refused, "{bad} {part}: {:?}", request.error());
        }
    }
    // Only characters that a URL does not allow are escaped.
    assert_eq!(url(&pods().name("system:a b?ü")), "/api/v1/pods/system:a%20b%3F%C3%BC");
}

#[test]
fn t3_3_09_params_add_up() {
    let request = pods().param("b", "1").param("a", "x y&z").param("b", "2");
    assert_eq!(url(&request), "/api/v1/pods?a=x+y%26z&b=1&b=2");
}

#[test]
fn t3_3_10_options_become_params() {
    let options = ListOptions {
        label_selector: "app in (a,b)".into(),
        field_selector: "metadata.name=a".into(),
        watch: true,
        allow_watch_bookmarks: true,
        resource_version: "10".into(),
        resource_version_match: "NotOlderThan".into(),
        timeout_seconds: Some(0),
        limit: 500,
        continue_: "token".into(),
        send_initial_events: Some(true),
        ..ListOptions::EMPTY
    };
    assert_eq!(
        url(&pods().options(&options)),
        "/api/v1/pods?allowWatchBookmarks=true&continue=token&fieldSelector=metadata.name%3Da&labelSelector=app+in+\
         %28a%2Cb%29&limit=500&resourceVersion=10&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&\
         timeoutSeconds=0&watch=true"
    );
    assert_eq!(url(&pods().options(&ListOptions::EMPTY)), "/api/v1/pods");
    let create =
        CreateOptions { dry_run: ["All".into()].into(), field_manager: "me".into(), ..CreateOptions::EMPTY };
    assert_eq!(url(&pods().options(&create)), "/api/v1/pods?dryRun=All&fieldManager=me");
}

#[test]
fn t3_3_11_a_request_uri_is_split_under_the_base() {
    let request = Request::get().param("old", "1").request_uri("/apis/apps/v1/deployments?limit=5&a=b%20c");
    assert_eq!(request.path_and_query("/base").unwrap(), "/base/apis/apps/v1/deployments?a=b+c&limit=5");
    assert_eq!(url(&Request::get().request_uri("/a/")), "/a/");
    assert_eq!(url(&Request::get().request_uri("/a%20b")), "/a%20b");
    let bad = Request::get().request_uri("not a uri");
    assert_eq!(bad.error(), Some(&RequestError::Uri("not a uri".to_owned())));
}

#[tokio::test]
async fn t3_3_12_bodies_of_every_kind() {
    async fn sent(body: impl Into<BodySource>) -> Result<(Vec<u8>, Option<Format>), RequestError> {
        let mut prepared = body.into().prepare(None).await?;
        Ok((prepared.body.next().bytes().await.unwrap().to_vec(), prepared.format))
    }
    assert_eq!(sent(BodySource::None).await, Ok((vec![], None)));
    assert_eq!(sent(b"bytes".to_vec()).await, Ok((b"bytes".to_vec(), None)));
    let pod = Arc::new(Pod::default());
    let protobuf = Payload::encode(&*pod, Format::Protobuf);
    assert_eq!(sent(BodySource::object(Arc::clone(&pod))).await, Ok((protobuf, Some(Format::Protobuf))));
    let json = BodySource::object(pod).prepare(Some(Format::Json)).await.unwrap();
    assert_eq!(json.format, Some(Format::Json));
    let stream = BodySource::stream(client_rs_transport::http::Body::from("once"));
    assert!(!stream.is_replayable());
    assert_eq!(sent(stream.clone()).await, Ok((b"once".to_vec(), None)));
    assert_eq!(sent(stream).await, Err(RequestError::BodyTaken));
    let missing = std::path::PathBuf::from("/nonexistent/body.json");
    assert!(matches!(sent(missing).await, Err(RequestError::BodyFile { .. })));
    let manifest = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    assert!(sent(manifest).await.unwrap().0.starts_with(b"[package]"));
}

#[test]
fn t3_3_13_an_empty_namespace_is_refused() {
    for verb in [Verb::Post, Verb::Get, Verb::Put, Verb::Patch, Verb::Delete] {
        let request = Request::new(verb).api("", "v1").resource("pods").namespace("");
        let refused = Err(RequestError::Empty(PathPart::Namespace));
        assert_eq!(request.clone().name("a").path_and_query(""), refused);
        assert_eq!(request.path_and_query(""), refused);
    }
    assert_eq!(
        RequestError::Empty(PathPart::Namespace).to_string(),
        "the namespace of a request is empty; for all namespaces use `Api::all` or `AllNamespaces`"
    );
    assert_eq!(url(&pods()), "/api/v1/pods");
    assert_eq!(url(&pods().name("a")), "/api/v1/pods/a");
}

#[test]
fn t3_3_14_templates_hold_no_names() {
    for (request, expected) in [
        (pods().namespace("ns").name("web-0"), "/base/api/v1/namespaces/{namespace}/pods/{name}"),
        (
            pods().namespace("ns").param("limit", "5").param("limit", "6"),
            "/base/api/v1/namespaces/{namespace}/pods?limit={value}",
        ),
        (
            pods().namespace("ns").name("a").subresource(["status"]),
            "/base/api/v1/namespaces/{namespace}/pods/{name}/status",
        ),
        (Request::get().api("", "v1").resource("nodes").name("a"), "/base/api/v1/nodes/{name}"),
        (
            Request::get().request_uri("/api/v1/namespaces/ns/pods/a/log"),
            "/base/api/v1/namespaces/{namespace}/pods/{name}/log",
        ),
        (Request::get().request_uri("/apis/apps/v1/deployments"), "/base/apis/apps/v1/deployments"),
        (
            Request::get().request_uri("/apis/apps/v1/namespaces/ns/deployments"),
            "/base/apis/apps/v1/namespaces/{namespace}/deployments",
        ),
        (
            Request::get().request_uri("/api/v1/namespaces/ns/finalize"),
            "/base/api/v1/namespaces/{name}/finalize",
        ),
        (Request::get().request_uri("/api/v1/namespaces/ns"), "/base/api/v1/namespaces/{name}"),
        (Request::get().request_uri("/healthz/etcd?verbose"), "/base/{prefix}"),
        (Request::get().request_uri("/version"), "/base/version"),
    ] {
        assert_eq!(request.template("/base"), expected);
    }
}

#[test]
fn a_timeout_is_sent_to_the_server() {
    assert_eq!(url(&pods().timeout(Duration::from_millis(1500))), "/api/v1/pods?timeout=1.5s");
    assert_eq!(url(&pods().timeout(Duration::ZERO)), "/api/v1/pods");
}

#[test]
fn a_watchs_timeout_lies_between_once_and_twice_the_limit() {
    let mut seen = std::collections::HashSet::new();
    for _ in 0..200 {
        let request = pods().param("timeoutSeconds", "1").watch_timeout(Duration::from_mins(5));
        let seconds: u64 = request.parts.params[0].1.parse().unwrap();
        assert!(request.parts.params.len() == 1 && (300..600).contains(&seconds), "{seconds}");
        seen.insert(seconds);
    }
    assert!(seen.len() > 20);
}

#[test]
fn debug_does_not_show_the_body() {
    let request = Request::post().body("hunter2".to_owned());
    assert!(!format!("{request:?}").contains("hunter2"));
}
