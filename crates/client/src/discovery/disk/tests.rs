//! Files, their age and their writers.

use client_rs_machinery::meta::v1::APIResource;

use super::*;
use crate::fake_api::{FakeApi, Heard, Reply, json, refuse, reply};

fn server(heard: &Heard) -> Reply {
    match heard.path() {
        "/api" => json(r#"{"versions": ["v1"]}"#),
        "/apis" => json(
            r#"{"groups": [{"name": "apps", "versions": [{"groupVersion": "apps/v1", "version": "v1"}]},
                {"name": "..", "versions": [{"groupVersion": "../v1", "version": "v1"}]}]}"#,
        ),
        "/api/v1" => json(r#"{"groupVersion": "v1", "resources": [{"name": "pods", "kind": "Pod"}]}"#),
        "/apis/apps/v1" => json(r#"{"groupVersion": "apps/v1", "resources": []}"#),
        _ => refuse(404, "NotFound"),
    }
}

fn cache(api: &FakeApi, dir: &Path) -> DiskCache {
    let client = DiscoveryClient::from_rest(api.client());
    DiskCache::new(Arc::new(client), DiskCacheOptions::new(dir))
}

fn core() -> GroupVersion {
    GroupVersion::new("", "v1")
}

#[tokio::test]
async fn t5_2_02_files_answer_instead_of_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let api = FakeApi::new(server);
    let first = cache(&api, dir.path());
    assert_eq!(first.groups().await.unwrap().groups.len(), 3);
    first.resources_for(&core()).await.unwrap();
    assert_eq!(api.take_calls().len(), 3);
    first.groups().await.unwrap();
    assert!(api.take_calls().is_empty() && first.is_fresh());

    // Another process uses them too, and knows that they may be outdated.
    let second = cache(&api, dir.path());
    assert!(second.is_fresh());
    let pods = second.resources_for(&core()).await.unwrap();
    assert_eq!((pods.resources[0].name.as_str(), second.is_fresh()), ("pods", false));
    assert!(api.take_calls().is_empty());

    // After an invalidation, it uses only files that it has written since.
    second.invalidate();
    assert!(second.is_fresh());
    second.resources_for(&core()).await.unwrap();
    second.resources_for(&core()).await.unwrap();
    assert_eq!((api.take_calls(), second.is_fresh()), (vec!["GET /api/v1".to_owned()], true));
}

#[tokio::test]
async fn t5_2_02_a_file_expires() {
    let dir = tempfile::tempdir().unwrap();
    let api = FakeApi::new(server);
    cache(&api, dir.path()).resources_for(&core()).await.unwrap();
    api.take_calls();
    let mut late = cache(&api, dir.path());
    late.now = || SystemTime::now() + Duration::from_hours(7);
    late.resources_for(&core()).await.unwrap();
    assert_eq!(api.take_calls(), ["GET /api/v1"]);
}

#[tokio::test]
async fn t5_2_02_failures_and_empty_or_corrupt_data_are_not_stored() {
    let dir = tempfile::tempdir().unwrap();
    let api = FakeApi::new(server);
    let cache = cache(&api, dir.path());
    for _ in 0..2 {
        cache.resources_for(&GroupVersion::new("apps", "v1")).await.unwrap();
        assert!(cache.resources_for(&GroupVersion::new("none", "v1")).await.is_err());
        assert_eq!(api.take_calls(), ["GET /apis/apps/v1", "GET /apis/none/v1"]);
    }
    cache.resources_for(&core()).await.unwrap();
    std::fs::write(dir.path().join("v1/serverresources.json"), "{\"resources\": [").unwrap();
    assert_eq!(cache.resources_for(&core()).await.unwrap().resources.len(), 1);
    assert_eq!(api.take_calls(), ["GET /api/v1", "GET /api/v1"]);
}

#[cfg(unix)]
#[tokio::test]
async fn t5_2_02_permissions_and_names() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let below = dir.path().join("a/b");
    let api = FakeApi::new(server);
    let cache = cache(&api, &below);
    cache.groups().await.unwrap();
    cache.resources_for(&core()).await.unwrap();
    let mode = |path: &str| std::fs::metadata(dir.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a"), mode("a/b/v1")), (0o750, 0o750));
    assert_eq!((mode("a/b/servergroups.json"), mode("a/b/v1/serverresources.json")), (0o660, 0o660));
    let left: Vec<_> = std::fs::read_dir(&below).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // A name from the server never leaves the folder.
    for (group, version) in [("..", "v1"), ("a", ".."), ("/etc", "v1"), ("a\\b", "v1"), ("a", "v1\0")] {
        assert_eq!(cache.file(&GroupVersion::new(group, version)), None, "{group} {version}");
    }
    let file = cache.file(&GroupVersion::new("apps", "v1"));
    assert_eq!(file, Some(below.join("apps/v1/serverresources.json")));
}

#[tokio::test]
async fn t5_2_02_files_of_either_kind_of_server_are_alike() {
    let aggregated = FakeApi::new(|heard| {
        let media = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        match heard.path() {
            "/api" => reply(
                200,
                media,
                r#"{"items": [{"metadata": {}, "versions": [{"version": "v1", "resources": [
                    {"resource": "pods", "responseKind": {"version": "v1", "kind": "Pod"}}]}]}]}"#
                    .to_owned(),
            ),
            _ => reply(200, media, "{}".to_owned()),
        }
    });
    let classic = FakeApi::new(|heard| match heard.path() {
        "/apis" => json(r#"{"groups": []}"#),
        _ => server(heard),
    });
    let mut found = Vec::new();
    for api in [aggregated, classic] {
        let dir = tempfile::tempdir().unwrap();
        let client = DiscoveryClient::from_rest(api.client());
        let memory = Arc::new(MemoryCache::new(Arc::new(client)));
        let cache = DiskCache::new(memory, DiskCacheOptions::new(dir.path()));
        let all = cache.server_resources().await.unwrap();
        let names: Vec<_> = all.lists[0].resources.iter().map(|r: &APIResource| r.name.clone()).collect();
        found.push((names, std::fs::read_to_string(dir.path().join("servergroups.json")).unwrap()));
    }
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].0, ["pods"]);
}

#[tokio::test]
async fn a_folder_that_can_not_be_written_is_not_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let api = FakeApi::new(server);
    let cache = cache(&api, &file.join("below"));
    assert_eq!(cache.resources_for(&core()).await.unwrap().resources.len(), 1);
    assert!(cache.is_fresh());
}

#[test]
fn a_server_has_the_folder_that_kubectl_gives_it() {
    for (server, expected) in [
        ("https://127.0.0.1:6443", "c/127.0.0.1_6443"),
        ("http://[::1]:8080/base/x", "c/___1__8080/base/x"),
        ("https://h/../../etc", "c/h/etc"),
    ] {
        assert_eq!(DiskCache::dir_for_server(Path::new("c"), server), Path::new(expected), "{server}");
    }
}
