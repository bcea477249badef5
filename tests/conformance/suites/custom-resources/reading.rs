//! Typed programs over a derived kind.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs_cache::FactoryOptions;
use client_rs_client::{Api, DynamicClient};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Object, Resource, Unstructured, json};
use client_rs_tests::{Stage, eventually};

use super::gadget::{
    self, Color, Gadget, GadgetApply, GadgetSpecApply, GadgetStatusApply, Mode, PartApply, gadget,
};

/// Objects stored under a definition that accepts anything, as an old definition may have.
pub(super) async fn type_mismatch(stage: &Stage) -> Result<()> {
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
    let any = DynamicClient::from_rest(rest.clone()).resource(Gadget::gvr()).namespace(&namespace);
    let mut bad = Unstructured::new(Gadget::gvk().group_version().to_string(), "Gadget", "bad");
    bad.object.insert("spec", json!({"low": "hunter2", "high": 1}));
    any.create(bad).await?;
    api.create(gadget("good")).await?;

    let error = api.get("bad").await.err().context("it was read")?.to_string();
    ensure!(error.contains(r#"spec["low"]"#) && error.contains("a text where i32 should be"), "{error}");
    ensure!(!error.contains("hunter2"), "{error}");

    let options = FactoryOptions::default().with_namespaces([namespace.as_str()]);
    let factory = SharedInformerFactory::with_options(rest.clone(), options);
    let gadgets = factory.of::<Gadget>();
    let lister = gadgets.lister();
    factory.start();
    factory.wait_for_cache_sync().await;
    ensure!(lister.namespace(namespace.as_str()).get("good").is_ok(), "the good one is not there");
    api.create(gadget("later")).await?;
    // After a fix, it is in the cache like any other.
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
    let options = FactoryOptions::default().with_namespaces([namespace.as_str()]);
    let factory = SharedInformerFactory::with_options(rest.clone(), options);
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
    while let Some(page) = pages.try_next().await? {
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

pub(super) async fn configurations(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    let namespace = stage.namespace().await?;
    let api = Api::<Gadget>::namespaced(&rest, namespace.as_str());
    let wanted = || GadgetApply::new("a", namespace.as_str());
    let spec = GadgetSpecApply::new()
        .low(1)
        .color(Color::Blue)
        .mode(Mode::On { level: 2 })
        .parts([PartApply::new().name("p").size(1)]);
    let made = api.apply(wanted().labels([("tier", "front")]).spec(spec), "one").await?;
    ensure!(made.spec.high == 10 && made.spec.color == Color::Blue, "{made:?}");
    // Another manager owns other fields of it, and shares those that it already set.
    let more = GadgetSpecApply::new().low(1).parts([PartApply::new().name("q")]);
    let both = api.apply(wanted().spec(more), "two").await?;
    ensure!(both.spec.parts.len() == 2 && both.label("tier") == Some("front"), "{both:?}");
    let taken = api.apply(wanted().spec(GadgetSpecApply::new().low(5)), "two").await;
    ensure!(taken.is_err_and(|error| error.is_conflict()), "another's field was taken");
    // The fields that a manager owns are extracted, changed and applied again: it gives up the fields that are no
    // longer in it.
    let own = GadgetApply::extract(&both, "one")?;
    let document = client_rs_machinery::Json::from(own.clone());
    let expected = json!({
        "low": 1, "color": "Blue", "mode": {"type": "On", "level": 2}, "parts": [{"name": "p", "size": 1}],
    });
    ensure!(document["spec"] == expected, "{document}");
    let less = api.apply(own.spec(GadgetSpecApply::new().low(1)), "one").await?;
    ensure!(less.spec.mode.is_none() && less.spec.parts.len() == 1, "{less:?}");
    // The status has owners of its own.
    let observed = GadgetStatusApply::new().replicas(3).selector("a=b");
    let told = api.apply_status(wanted().status(observed), "watcher").await?;
    ensure!(told.status.as_ref().is_some_and(|status| status.replicas == 3), "{told:?}");
    let own = client_rs_machinery::Json::from(GadgetApply::extract_status(&told, "watcher")?);
    ensure!(own["status"] == json!({"replicas": 3, "selector": "a=b"}) && own.get("spec").is_none(), "{own}");
    gadget::remove(&rest, &Gadget::crd()).await
}

pub(super) async fn generated(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    let kubeconfig = stage.kubeconfig()?.to_str().context("a path that is text")?.to_owned();
    let krs = async |definition: &str| -> Result<(u8, String, String)> {
        let words =
            ["krs", "generate", "--accessors", "--crd", definition, "--kubeconfig", kubeconfig.as_str()];
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = client_rs_cli::run(words, client_rs_cli::Streams::plain(&mut out, &mut err)).await;
        Ok((code, String::from_utf8(out)?, String::from_utf8(err)?))
    };
    let name = Gadget::crd().metadata.name.to_string();
    let (_, code, complaint) = krs(&name).await?;
    ensure!(complaint.is_empty(), "{complaint}");
    for text in [
        "pub struct GadgetSpec {",
        "/// The lower end.\n        pub low: i32,",
        "pub parts: Option<Vec<GadgetSpecParts>>,",
        "pub fn gadgets<W: Within>(&self, namespace: W) -> Api<gadgets_v1::Gadget, W::Reach> {",
    ] {
        ensure!(code.contains(text), "{text:?} is not in\n{code}");
    }
    let (ended, _, why) = krs("nothing.example.com").await?;
    ensure!(
        ended != 0 && why.contains("nothing.example.com is neither a file nor a CustomResourceDefinition"),
        "{ended}: {why}"
    );
    gadget::remove(&rest, &Gadget::crd()).await
}
