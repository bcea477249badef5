//! The index and the documents.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::fake_api::{FakeApi, Heard, Reply, json, refuse, reply};

fn index(prefix: &str, hash: usize) -> String {
    format!(
        r#"{{"paths": {{
            "api/v1": {{"serverRelativeURL": "{prefix}/openapi/v3/api/v1?hash=A"}},
            "apis/apps/v1": {{"serverRelativeURL": "{prefix}/openapi/v3/apis/apps/v1?hash={hash}"}},
            "apis/apps": {{"serverRelativeURL": "{prefix}/openapi/v3/apis/apps?hash=B"}},
            "apis/elsewhere/v1": {{"serverRelativeURL": "/elsewhere/doc?hash=C"}}}}}}"#
    )
}

#[tokio::test]
async fn t5_10_01_urls_with_and_without_a_prefix() {
    for (server, index_prefix, prefix) in [
        ("https://k8s.example", "", ""),
        ("https://k8s.example/base", "", "/base"),
        ("https://k8s.example/base", "/base", "/base"),
    ] {
        let api = FakeApi::new(move |heard: &Heard| -> Reply {
            if heard.path().ends_with("/openapi/v3") { json(index(index_prefix, 1)) } else { json("{}") }
        });
        let client = OpenApiClient::new(api.client_at(server));
        for (group, format) in [("", Format::Json), ("apps", Format::Protobuf), ("elsewhere", Format::Json)] {
            client.schema(&GroupVersion::new(group, "v1"), format).await.unwrap();
        }
        let heard = api.heard();
        let asked: Vec<_> = heard.iter().map(Heard::path).collect();
        let expected = [
            format!("{prefix}/openapi/v3"),
            format!("{prefix}/openapi/v3/api/v1?hash=A"),
            format!("{prefix}/openapi/v3/apis/apps/v1?hash=1"),
            "/elsewhere/doc?hash=C".to_owned(),
        ];
        assert_eq!(asked, expected, "{server}");
        assert_eq!(heard[1].header("accept"), "application/json");
        let protobuf = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
        assert_eq!(heard[2].header("accept"), protobuf);
    }
}

#[tokio::test]
async fn t5_10_02_a_document_is_requested_again_only_after_a_change() {
    let hash = Arc::new(AtomicUsize::new(1));
    let current = hash.clone();
    let api = FakeApi::new(move |heard: &Heard| -> Reply {
        match heard.path() {
            "/openapi/v3" => json(index("", current.load(Ordering::SeqCst))),
            path => json(format!(r#"{{"info": "{path}"}}"#)),
        }
    });
    let client = OpenApiClient::new(api.client());
    let versions = client.group_versions().await.unwrap();
    let versions: Vec<_> = versions.iter().map(ToString::to_string).collect();
    assert_eq!(versions, ["v1", "apps/v1", "elsewhere/v1"]);
    let (core, apps) = (GroupVersion::new("", "v1"), GroupVersion::new("apps", "v1"));
    for _ in 0..2 {
        client.schema(&core, Format::Json).await.unwrap();
        client.schema(&apps, Format::Json).await.unwrap();
    }
    assert_eq!(api.take_calls().len(), 3);
    client.clone().invalidate();
    hash.store(2, Ordering::SeqCst);
    client.schema(&core, Format::Json).await.unwrap();
    let read = client.schema_json(&apps).await.unwrap();
    assert_eq!(read["info"].as_str(), Some("/openapi/v3/apis/apps/v1?hash=2"));
    assert_eq!(api.take_calls(), ["GET /openapi/v3", "GET /openapi/v3/apis/apps/v1?hash=2"]);
    let unknown = client.schema(&GroupVersion::new("x", "v1"), Format::Json).await.unwrap_err();
    assert!(matches!(unknown, DiscoveryError::NotFound(_)), "{unknown}");
    assert!(api.take_calls().is_empty());
}

#[tokio::test]
async fn a_malformed_index_is_an_error() {
    let api = FakeApi::new(|_| reply(200, "text/html", "<html>".to_owned()));
    let error = OpenApiClient::new(api.client()).paths().await.unwrap_err();
    assert!(matches!(error, DiscoveryError::Document { .. }), "{error}");
    let api = FakeApi::new(|_| refuse(404, "NotFound"));
    assert!(OpenApiClient::new(api.client()).paths().await.unwrap_err().is_not_found());
}

#[tokio::test]
async fn t5_2_02_a_stored_response_is_revalidated_and_a_corrupt_one_is_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let api = FakeApi::new(|heard: &Heard| -> Reply {
        if heard.header("if-none-match") == "\"tag\"" {
            return reply(304, "", String::new());
        }
        let mut answer = json(index("", 1))?;
        answer.headers_mut().insert("etag", "\"tag\"".parse().unwrap());
        Ok(answer)
    });
    let asked = async |expected_tag: &str| {
        let client =
            OpenApiClient::new(api.client()).with_http_cache(HttpCache::new(dir.path().join("http")));
        assert_eq!(client.paths().await.unwrap().len(), 4);
        let heard = api.heard();
        assert_eq!(heard.last().unwrap().header("if-none-match"), expected_tag);
    };
    asked("").await;
    asked("\"tag\"").await;
    let file = std::fs::read_dir(dir.path().join("http")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    asked("").await;
    std::fs::write(&file, b"short").unwrap();
    asked("").await;
    asked("\"tag\"").await;
}
