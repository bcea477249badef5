//! When discovery runs again.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use client_rs_machinery::GroupVersion;
use client_rs_machinery::meta::v1::APIResourceList;

use super::super::lookup::tests::{Group, served};
use super::*;
use crate::discovery::{BoxFuture, DiscoveryError, ServerGroups, ServerResources};

/// Serves `widgets` once it is installed; answers from memory until it is invalidated.
#[derive(Debug, Default)]
struct Source {
    installed: AtomicBool,
    /// Whether the kind was installed at the last fetch.
    known: AtomicBool,
    stale: AtomicBool,
    fails: AtomicBool,
    asked: AtomicUsize,
    invalidated: AtomicUsize,
}

impl Discovery for Source {
    fn groups(&self) -> BoxFuture<'_, Result<ServerGroups, DiscoveryError>> {
        Box::pin(async { Ok(ServerGroups::default()) })
    }

    fn resources_for<'a>(
        &'a self,
        version: &'a GroupVersion,
    ) -> BoxFuture<'a, Result<APIResourceList, DiscoveryError>> {
        Box::pin(async { Err(DiscoveryError::NotFound(version.clone())) })
    }

    fn server_resources(&self) -> BoxFuture<'_, Result<ServerResources, DiscoveryError>> {
        Box::pin(async {
            self.asked.fetch_add(1, Ordering::SeqCst);
            if self.fails.load(Ordering::SeqCst) {
                return Err(DiscoveryError::NoVersion);
            }
            let mut groups: Vec<Group<'_>> = vec![
                ("", &[("v1", &["pods Pod pod po - ns"])]),
                ("b", &[("v1", &["others Other other po,wi - ns"])]),
            ];
            if self.known.load(Ordering::SeqCst) {
                groups.push(("example.com", &[("v1", &["widgets Widget widget wi,wd - ns"])]));
            }
            Ok(served(&groups))
        })
    }

    fn is_fresh(&self) -> bool {
        !self.stale.load(Ordering::SeqCst)
    }

    fn invalidate(&self) {
        self.invalidated.fetch_add(1, Ordering::SeqCst);
        self.known.store(self.installed.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

fn mapper(options: MapperOptions) -> (Arc<Source>, DeferredRestMapper) {
    let source = Arc::new(Source::default());
    (source.clone(), DeferredRestMapper::with_options(source, options))
}

fn widget() -> GroupKind {
    GroupKind::new("example.com", "Widget")
}

#[tokio::test(start_paused = true)]
async fn t5_3_02_a_miss_resets_a_stale_cache_once_and_a_fresh_one_not_at_all() {
    let (source, mapper) = mapper(MapperOptions { look_again_after: None, ..MapperOptions::default() });
    assert!(mapper.mapping(&widget(), &[]).await.unwrap_err().is_no_match());
    assert_eq!((source.asked.load(Ordering::SeqCst), source.invalidated.load(Ordering::SeqCst)), (1, 0));
    source.stale.store(true, Ordering::SeqCst);
    assert!(mapper.mapping(&widget(), &[]).await.unwrap_err().is_no_match());
    assert_eq!((source.asked.load(Ordering::SeqCst), source.invalidated.load(Ordering::SeqCst)), (2, 1));
    // A hit does not run discovery again.
    mapper.find("pods").await.unwrap();
    assert_eq!(source.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn t5_3_06_a_kind_that_is_installed_later_is_found() {
    let (source, mapper) = mapper(MapperOptions::default());
    for _ in 0..5 {
        assert!(mapper.find("wd").await.unwrap_err().is_no_match());
    }
    assert_eq!(source.asked.load(Ordering::SeqCst), 1);
    source.installed.store(true, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(mapper.clone().find("wd").await.unwrap().resource.resource, "widgets");
    assert_eq!(
        mapper.mapping_of(&GroupVersionKind::new("example.com", "v1", "Widget")).await.unwrap().singular,
        "widget"
    );
    assert_eq!(source.asked.load(Ordering::SeqCst), 2);
    mapper.reset();
    mapper.mapper().await.unwrap();
    assert_eq!(source.asked.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn t5_3_05_a_kind_is_found_by_a_short_name() {
    let (_, mapper) = mapper(MapperOptions::default());
    let po = GroupVersionResource::new("", "", "po");
    assert_eq!(mapper.kind_for(&po).await.unwrap().kind, "Pod");
    assert_eq!(mapper.resources_for(&po).await.unwrap().len(), 1);
    assert_eq!(mapper.resource_for(&po).await.unwrap().resource.resource, "pods");
}

#[derive(Debug, Default)]
struct Told(Mutex<Vec<String>>);

impl WarningHandler for Told {
    fn handle(&self, _: u16, _: &str, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

#[tokio::test]
async fn t5_3_07_one_warning_per_other_candidate() {
    let told = Arc::new(Told::default());
    let (source, mapper) = mapper(MapperOptions { warnings: told.clone(), ..MapperOptions::default() });
    source.known.store(true, Ordering::SeqCst);
    mapper.find("po").await.unwrap();
    assert_eq!(
        *told.0.lock().unwrap(),
        [r#"short name "po" could also match lower priority resource others.b"#]
    );
    told.0.lock().unwrap().clear();
    mapper.resource_for(&GroupVersionResource::new("", "", "wi")).await.unwrap();
    assert_eq!(
        *told.0.lock().unwrap(),
        [r#"short name "wi" could also match lower priority resource widgets.example.com"#]
    );
    mapper.find("pods").await.unwrap();
    assert_eq!(told.0.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_failed_discovery_is_reported_and_retried() {
    let (source, mapper) = mapper(MapperOptions::default());
    source.fails.store(true, Ordering::SeqCst);
    assert!(matches!(mapper.find("pods").await, Err(MapError::Discovery(_))));
    source.fails.store(false, Ordering::SeqCst);
    mapper.find("pods").await.unwrap();
}
