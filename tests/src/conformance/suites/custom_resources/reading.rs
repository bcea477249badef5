//! Typed programs over a derived kind.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_cache::FactoryOptions;
use client_rs_client::{Api, DynamicClient};
use client_rs_kubernetes::informers::SharedInformerFactory;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Object, Resource, Unstructured, json};
use client_rs_tests::{Stage, eventually};

use super::gadget::{self, Gadget, gadget};

/// What a server stores under a definition that takes anything, as one of long ago may have.
pub(super) async fn misfit(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let mut loose = Gadget::crd();
    let version = &mut loose.spec.versions.make_mut()[0];
    version.schema = serde_json::from_value(serde_json::json!({
        "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }))?;
    version.selectable_fields = client_rs_machinery::List::EMPTY;
    client_rs::custom::crds::apply(&rest, [loose.clone()]).await?;
    let namespace = stage.namespace().await?;
    let api = Api::<Gadget>::namespaced(&rest, namespace.as_str());
    let any = DynamicClient::new(rest.clone()).resource(Gadget::gvr()).namespace(&namespace);
    let mut bad = Unstructured::new(Gadget::gvk().group_version().to_string(), "Gadget", "bad");
    bad.object.insert("spec", json!({"low": "hunter2", "high": 1}));
    any.create(bad).await?;
    api.create(gadget("good")).await?;

    let error = api.get("bad").await.err().context("it was read")?.to_string();
    ensure!(error.contains(r#"spec["low"]"#) && error.contains("a text where i32 should be"), "{error}");
    ensure!(!error.contains("hunter2"), "{error}");

    let options = FactoryOptions { namespaces: vec![namespace.as_str().into()], ..FactoryOptions::default() };
    let factory = SharedInformerFactory::new(rest.clone(), options);
    let gadgets = factory.of::<Gadget>();
    let lister = gadgets.lister();
    factory.start();
    factory.wait_for_cache_sync().await;
    ensure!(lister.namespace(namespace.as_str()).get("good").is_ok(), "the good one is not there");
    api.create(gadget("later")).await?;
    // Mended, it is there like any other.
    any.patch("bad", &Patch::Merge(json!({"spec": {"low": 0}}))).await?;
    eventually("the informer", || async {
        let names = lister.list(&Selector::everything());
        ensure!(names.len() == 3, "{} objects", names.len());
        Ok(())
    })
    .await?;
    factory.shutdown().await;
    gadget::remove(&rest, &loose).await
}

pub(super) async fn typed(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    let namespace = stage.namespace().await?;
    let api = Api::<Gadget>::namespaced(&rest, namespace.as_str());
    let options = FactoryOptions { namespaces: vec![namespace.as_str().into()], ..FactoryOptions::default() };
    let factory = SharedInformerFactory::new(rest.clone(), options);
    let lister = factory.of::<Gadget>().lister();
    factory.start();
    factory.wait_for_cache_sync().await;
    for index in 0..20 {
        api.create(gadget(&format!("g{index}"))).await?;
    }
    let written = api.retry_on_conflict("g3", |object| object.spec.high = 77).await?;
    let key = written.key();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
    let seen = lister.at_least(&key, written.resource_version(), deadline).await?;
    ensure!(seen.is_some_and(|seen| seen.spec.high == 77), "the cache is behind");
    let mut pages = api.pages().options(ListOptions { limit: 7, ..ListOptions::EMPTY });
    let mut count = 0;
    while let Some(page) = pages.next().await? {
        count += page.items.len();
    }
    ensure!(count == 20, "{count} in pages");
    api.delete_collection().await?;
    eventually("the cache to be empty", || async {
        ensure!(lister.list(&Selector::everything()).is_empty(), "not yet");
        Ok(())
    })
    .await?;
    factory.shutdown().await;
    gadget::remove(&rest, &Gadget::crd()).await
}
