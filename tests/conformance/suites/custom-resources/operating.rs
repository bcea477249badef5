//! Operators: the example, and what it is made of.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use client_rs::controller::{Applied, Owned, adopt, release};
use client_rs_api::apps::v1::Deployment;
use client_rs_api::coordination::v1::Lease;
use client_rs_api::core::v1::{ConfigMap, Event};
use client_rs_client::Api;
use client_rs_client::wait::conditions;
use client_rs_machinery::json;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::references::controls;
use client_rs_tests::{Stage, eventually};
use tokio_util::sync::CancellationToken;

use super::gadget;
use client_rs_examples::operator::{Site, SiteSpec, operator};

const LIMIT: Duration = Duration::from_mins(1);

pub(super) async fn life(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let manager = operator(stage.config(), &namespace).await.map_err(|error| anyhow!("{error}"))?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(manager.run(stop.clone()));
    let sites = Api::<Site>::namespaced(&rest, namespace.as_str());
    let deployments = Api::<Deployment>::namespaced(&rest, namespace.as_str());

    let site =
        sites.create(Site::new("web", SiteSpec { image: "nginx:1.29".to_owned(), replicas: 2 })).await?;
    let made = deployments.wait_for("web", conditions::created(), LIMIT).await?;
    let made = made.ok_or_else(|| anyhow!("no deployment"))?;
    ensure!(controls(&site, &made) && made.spec.replicas == Some(2), "{made:?}");
    let ready = |status: &'static str| conditions::condition("Ready", status);
    let waiting = sites.wait_for("web", ready("False"), LIMIT).await?.and_then(|site| site.status);
    let waiting = waiting.ok_or_else(|| anyhow!("no status"))?;
    ensure!(waiting.conditions[0].message == "0 of 2 copies are ready", "{waiting:?}");
    ensure!(
        Api::<Lease>::namespaced(&rest, namespace.as_str()).get("site-operator").await.is_ok(),
        "nobody leads"
    );

    // With zero desired replicas, all of them are ready.
    sites.patch("web", &Patch::Merge(json!({"spec": {"replicas": 0}}))).await?;
    sites.wait_for("web", ready("True"), LIMIT).await?;
    ensure!(deployments.get("web").await?.spec.replicas == Some(0), "not scaled");
    let events = Api::<Event>::namespaced(&rest, namespace.as_str());
    eventually("the events", || async {
        let told = events.list().field_selector("involvedObject.kind=Site").await?;
        ensure!(told.items.iter().any(|event| event.reason == "AllReady"), "{} events", told.items.len());
        Ok(())
    })
    .await?;
    // A change by another client is reverted.
    deployments.patch("web", &Patch::Merge(json!({"spec": {"replicas": 7}}))).await?;
    deployments.wait_for("web", conditions::jsonpath("{.spec.replicas}", Some("0"))?, LIMIT).await?;

    ensure!(sites.delete("web").await?.object().is_some(), "it went without its finalizer's consent");
    sites.wait_for("web", conditions::deleted(), LIMIT).await?;
    // Its dependents are deleted with it.
    deployments.wait_for("web", conditions::deleted(), LIMIT).await?;
    stop.cancel();
    running.await??;
    gadget::remove(&rest, &Site::crd()).await
}

pub(super) async fn kit(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let namespace = stage.namespace().await?;
    let maps = Api::<ConfigMap>::namespaced(&rest, namespace.as_str());
    let named = |name: &str| ConfigMap {
        metadata: ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY },
        ..ConfigMap::EMPTY
    };
    let parent = maps.create(named("owner")).await?;
    let wanted = |name: &str, value: &str| json!({"metadata": {"name": name}, "data": {"key": value}});
    let mut owned = Owned::by(&parent, "kit")?;
    let Applied::Written(a) = owned.apply(&maps, wanted("a", "1"), None).await? else {
        anyhow::bail!("not written")
    };
    ensure!(controls(&parent, &a) && a.data["key"] == "1", "{a:?}");
    let Applied::Written(b) = owned.apply(&maps, wanted("b", "1"), None).await? else {
        anyhow::bail!("not written")
    };
    // The same again sends no request; a change of the desired or of the existing object does.
    let mut owned = Owned::by(&parent, "kit")?;
    ensure!(owned.apply(&maps, wanted("a", "1"), Some(&a)).await? == Applied::Unchanged, "asked for nothing");
    let Applied::Written(a) = owned.apply(&maps, wanted("a", "2"), Some(&a)).await? else {
        anyhow::bail!("not written")
    };
    let strayed = maps.patch("a", &Patch::Merge(json!({"data": {"key": "x", "other": "y"}}))).await?;
    let Applied::Written(mended) = owned.apply(&maps, wanted("a", "2"), Some(&strayed)).await? else {
        anyhow::bail!("not written")
    };
    ensure!(mended.data["key"] == "2" && mended.data["other"] == "y" && a.data["key"] == "2", "{mended:?}");
    // Objects that were not requested this time are deleted.
    let present = vec![Arc::new(parent.clone()), Arc::new(mended), Arc::new(b)];
    ensure!(owned.prune(&maps, present).await? == 1, "not one was pruned");
    maps.wait_for("b", conditions::deleted(), LIMIT).await?;
    ensure!(maps.get("a").await.is_ok() && maps.get("owner").await.is_ok(), "too much was pruned");

    let orphan = maps.create(named("orphan")).await?;
    ensure!(adopt(&maps, &parent, &orphan).await?, "not adopted");
    let adopted = maps.get("orphan").await?;
    ensure!(controls(&parent, &adopted) && !adopt(&maps, &parent, &adopted).await?, "{adopted:?}");
    let other = maps.create(named("other")).await?;
    let refused = adopt(&maps, &other, &adopted).await;
    ensure!(
        refused.is_err_and(|error| error.to_string().contains("is controlled already")),
        "two controllers"
    );
    let mut others = Owned::by(&other, "kit")?;
    ensure!(
        others.apply(&maps, wanted("orphan", "1"), Some(&adopted)).await.is_err(),
        "another's was changed"
    );
    ensure!(release(&maps, &parent, &adopted).await?, "not released");
    ensure!(maps.get("orphan").await?.metadata.owner_references.is_empty(), "still owned");
    Ok(())
}
