//! A server that counts requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use client_rs_machinery::meta::v1::{APIResource, GroupVersionForDiscovery};
use client_rs_machinery::{ApiError, List, Str};

use super::*;
use crate::{Call, Error};

/// Serves `v1` and `apps/v1`. The test sets the response of `apps/v1`.
#[derive(Debug, Default)]
struct Source {
    calls: Mutex<Vec<String>>,
    apps: Mutex<Option<i32>>,
    aggregated: AtomicBool,
    slow: AtomicBool,
    empty: AtomicBool,
    invalidated: AtomicBool,
}

fn failure(code: i32) -> DiscoveryError {
    let mut status = ApiError::internal_error("no").into_status();
    status.code = code;
    Error::Api { call: Call::new("GET", "http://h/"), error: ApiError::new(status).into() }.into()
}

fn list(version: &GroupVersion) -> APIResourceList {
    let resource = APIResource { name: "things".into(), ..APIResource::EMPTY };
    APIResourceList { group_version: version.to_string().into(), resources: [resource].into() }
}

fn group(name: &str) -> APIGroup {
    let text = GroupVersion::new(name, "v1").to_string();
    let version = GroupVersionForDiscovery { group_version: text.into(), version: "v1".into() };
    APIGroup {
        name: name.into(),
        versions: [version.clone()].into(),
        preferred_version: version,
        ..APIGroup::EMPTY
    }
}

impl Source {
    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    fn set(&self, code: Option<i32>) {
        *self.apps.lock().unwrap() = code;
    }
}

impl Discovery for Source {
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>> {
        Box::pin(async {
            self.calls.lock().unwrap().push("groups".into());
            if self.slow.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_secs(5)).await;
            }
            if self.empty.load(Ordering::SeqCst) {
                return Ok(ServerGroups::default());
            }
            let mut all = ServerGroups { groups: vec![group(""), group("apps")], ..ServerGroups::default() };
            if self.aggregated.load(Ordering::SeqCst) {
                let stale = GroupVersion::new("old", "v1");
                all.failed.insert(stale.clone(), DiscoveryError::Stale(stale));
                all.resources =
                    Some(vec![list(&GroupVersion::new("", "v1")), list(&GroupVersion::new("apps", "v1"))]);
            }
            Ok(all)
        })
    }

    fn resources_for<'a>(&'a self, version: &'a GroupVersion) -> BoxFuture<'a, Entry> {
        Box::pin(async move {
            self.calls.lock().unwrap().push(version.to_string());
            match *self.apps.lock().unwrap() {
                Some(0) if version.group == "apps" => {
                    Ok(APIResourceList { group_version: Str::EMPTY, resources: List::EMPTY })
                }
                Some(code) if version.group == "apps" => Err(failure(code)),
                _ => Ok(list(version)),
            }
        })
    }

    fn invalidate(&self) {
        self.invalidated.store(true, Ordering::SeqCst);
    }
}

fn cache() -> (Arc<Source>, MemoryCache) {
    let source = Arc::new(Source::default());
    (source.clone(), MemoryCache::new(source))
}

fn apps() -> GroupVersion {
    GroupVersion::new("apps", "v1")
}

#[tokio::test]
async fn t5_2_01_fetches_once_until_invalidated() {
    let (source, cache) = cache();
    assert!(!cache.is_fresh());
    assert_eq!(cache.server_resources().await.unwrap().lists.len(), 2);
    assert!(cache.is_fresh());
    assert_eq!(source.taken(), ["groups", "v1", "apps/v1"]);
    cache.server_resources().await.unwrap();
    assert_eq!(cache.resources_for(&apps()).await.unwrap().group_version, "apps/v1");
    let unknown = cache.resources_for(&GroupVersion::new("none", "v1")).await.unwrap_err();
    assert!(matches!(unknown, DiscoveryError::NotFound(_)), "{unknown}");
    assert!(source.taken().is_empty());
    cache.invalidate();
    assert!(!cache.is_fresh() && source.invalidated.load(Ordering::SeqCst));
    cache.resources_for(&apps()).await.unwrap();
    assert_eq!(source.taken(), ["groups", "v1", "apps/v1"]);
}

#[tokio::test]
async fn t5_2_01_aggregated_discovery_fills_it_and_stale_versions_stay() {
    let (source, cache) = cache();
    source.aggregated.store(true, Ordering::SeqCst);
    let all = cache.server_resources().await.unwrap();
    assert_eq!((source.taken(), all.lists.len(), all.failed.len()), (vec!["groups".to_owned()], 2, 1));
    let stale = cache.resources_for(&GroupVersion::new("old", "v1")).await.unwrap_err();
    assert!(matches!(stale, DiscoveryError::Stale(_)));
    assert!(source.taken().is_empty());
}

#[tokio::test]
async fn t5_2_01_a_transient_failure_is_fetched_again() {
    for (code, again) in [(503, true), (429, true), (500, true), (403, false), (404, false), (0, false)] {
        let (source, cache) = cache();
        source.set(Some(code));
        let all = cache.server_resources().await.unwrap();
        assert_eq!((all.lists.len(), all.failed.len()), (1, 1), "{code}");
        source.taken();
        source.set(None);
        let after = cache.resources_for(&apps()).await;
        assert_eq!((after.is_ok(), source.taken().len()), (again, usize::from(again)), "{code}");
        if code == 0 {
            assert!(matches!(after, Err(DiscoveryError::Empty(_))));
        }
        cache.invalidate();
        assert!(cache.resources_for(&apps()).await.is_ok(), "{code}");
    }
}

#[tokio::test]
async fn t5_2_01_a_response_without_groups_is_not_cached() {
    let (source, cache) = cache();
    source.empty.store(true, Ordering::SeqCst);
    assert!(cache.groups().await.unwrap().groups.is_empty());
    assert!(!cache.is_fresh());
    source.empty.store(false, Ordering::SeqCst);
    assert_eq!(cache.groups().await.unwrap().groups.len(), 2);
    assert!(cache.is_fresh());
}

#[tokio::test(start_paused = true)]
async fn t5_2_01_a_cancelled_fetch_is_not_cached() {
    let (source, cache) = cache();
    source.slow.store(true, Ordering::SeqCst);
    assert!(tokio::time::timeout(Duration::from_secs(1), cache.groups()).await.is_err());
    assert!(!cache.is_fresh());
    assert_eq!(cache.groups().await.unwrap().groups.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_share_one_fetch_and_calls_after_an_invalidation_do_not() {
    let (source, cache) = cache();
    source.slow.store(true, Ordering::SeqCst);
    let (first, second, ()) = tokio::join!(cache.groups(), cache.groups(), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(source.taken(), ["groups"]);
        cache.invalidate();
    });
    assert!(first.is_ok() && second.is_ok());
    // Calls after the invalidation do not get the data of the earlier fetch.
    source.taken();
    assert!(!cache.is_fresh());
    cache.groups().await.unwrap();
    assert!(source.taken().contains(&"groups".to_owned()));
}
