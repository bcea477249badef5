//! Controllers that reconcile.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use futures::StreamExt as _;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event as Recorded;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::Action;
use kube::runtime::events::{Event as Telling, EventType, Recorder, Reporter};
use kube::runtime::finalizer::{Event, finalizer};
use kube::runtime::wait::{await_condition, conditions};
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, Resource as _, ResourceExt as _};
use serde_json::json;

use crate::custom::{Parcel, parcel};
use crate::{NAMESPACE, api};

const FINALIZER: &str = "strangers.example.com/cleanup";

type Failed = kube::runtime::finalizer::Error<kube::Error>;

struct Work {
    parcels: Api<Parcel>,
    cleaned: AtomicUsize,
}

pub(crate) async fn finalizers(client: &Client) -> Result<()> {
    let parcels = api::<Parcel>(client);
    let work = Arc::new(Work { parcels: parcels.clone(), cleaned: AtomicUsize::new(0) });
    let controller = Controller::new(parcels.clone(), watcher::Config::default());
    let running = tokio::spawn(
        controller
            .run(reconcile, |_, _, _| Action::requeue(Duration::from_millis(50)), Arc::clone(&work))
            .for_each(|_| std::future::ready(())),
    );
    for name in ["guarded-1", "guarded-2", "guarded-3"] {
        let made = parcels.create(&PostParams::default(), &parcel(name)).await?;
        let delivered = |found: Option<&Parcel>| {
            found.is_some_and(|one| one.status.as_ref().is_some_and(|s| s.delivered))
        };
        await_condition(parcels.clone(), name, delivered).await?.context("it is gone")?;
        let guarded = parcels.get(name).await?;
        ensure!(guarded.finalizers() == [FINALIZER], "{:?}", guarded.finalizers());
        let gone = parcels.delete(name, &DeleteParams::default()).await?;
        ensure!(gone.left().is_some(), "{name} went without the controller's consent");
        let uid = made.uid().context("no uid")?;
        await_condition(parcels.clone(), name, conditions::is_deleted(&uid)).await?;
    }
    running.abort();
    let cleaned = work.cleaned.load(Ordering::Relaxed);
    ensure!(cleaned >= 3, "cleaned up {cleaned} times");
    // It has also seen the one that existed before.
    let patch = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    parcels.patch("first", &PatchParams::default(), &patch).await?;
    Ok(())
}

async fn reconcile(parcel: Arc<Parcel>, work: Arc<Work>) -> Result<Action, Failed> {
    finalizer(&work.parcels, FINALIZER, parcel, |event| async {
        match event {
            Event::Apply(parcel) => {
                let patch = Patch::Merge(json!({"status": {"delivered": true}}));
                work.parcels.patch_status(&parcel.name_any(), &PatchParams::default(), &patch).await?;
            }
            Event::Cleanup(_) => {
                work.cleaned.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(Action::await_change())
    })
    .await
}

pub(crate) async fn owners(client: &Client) -> Result<()> {
    let (parcels, maps) = (api::<Parcel>(client), api::<ConfigMap>(client));
    let controller = Controller::new(parcels.clone(), watcher::Config::default())
        .owns(maps.clone(), watcher::Config::default());
    let running = tokio::spawn(
        controller
            .run(label, |_, _, _| Action::requeue(Duration::from_millis(50)), Arc::new(maps.clone()))
            .for_each(|_| std::future::ready(())),
    );
    let made = parcels.create(&PostParams::default(), &parcel("owner")).await?;
    let first = await_condition(maps.clone(), "owner", conditions::is_created()).await?.context("no map")?;
    // A deleted dependent is created again: the controller of the owner is notified.
    maps.delete("owner", &DeleteParams::default()).await?;
    let (old, other) = (first.uid().context("no uid")?, |old: String| {
        move |found: Option<&ConfigMap>| found.is_some_and(|map| map.uid().is_some_and(|uid| uid != old))
    });
    await_condition(maps.clone(), "owner", other(old)).await?;
    running.abort();
    // It is deleted with its owner, which has no finalizer.
    let strip = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    parcels.patch("owner", &PatchParams::default(), &strip).await?;
    let second = maps.get("owner").await?.uid().context("no uid")?;
    parcels.delete("owner", &DeleteParams::background()).await?;
    await_condition(parcels, "owner", conditions::is_deleted(&made.uid().context("no uid")?)).await?;
    await_condition(maps, "owner", conditions::is_deleted(&second)).await?;
    Ok(())
}

/// Each parcel has a map of its name.
async fn label(parcel: Arc<Parcel>, maps: Arc<Api<ConfigMap>>) -> Result<Action, kube::Error> {
    let Some(owner) = parcel.controller_owner_ref(&()) else { return Ok(Action::await_change()) };
    let wish = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": parcel.name_any(), "ownerReferences": [owner]},
        "data": {"to": parcel.spec.to},
    });
    maps.patch(&parcel.name_any(), &PatchParams::apply("strangers").force(), &Patch::Apply(wish)).await?;
    Ok(Action::await_change())
}

pub(crate) async fn events(client: &Client) -> Result<()> {
    let parcel = api::<Parcel>(client).get("first").await?;
    let reporter =
        Reporter { controller: "strangers.example.com/kube-rs".to_owned(), instance: Some("one".to_owned()) };
    let recorder = Recorder::new(client.clone(), reporter);
    let telling = Telling {
        type_: EventType::Normal,
        reason: "Told".to_owned(),
        note: Some("by kube-rs".to_owned()),
        action: "Telling".to_owned(),
        secondary: None,
    };
    for _ in 0..3 {
        recorder.publish(&telling, &parcel.object_ref(&())).await?;
    }
    let recorded = Api::<Recorded>::namespaced(client.clone(), NAMESPACE);
    let found = recorded.list(&ListParams::default().fields("reason=Told")).await?;
    let own: Vec<_> = found
        .items
        .iter()
        .filter(|one| one.regarding.as_ref().is_some_and(|object| object.uid == parcel.metadata.uid))
        .collect();
    ensure!(own.len() == 1, "{} events", own.len());
    let count = own[0].series.as_ref().map(|series| series.count);
    ensure!(count == Some(3), "notified {count:?} times");
    Ok(())
}
