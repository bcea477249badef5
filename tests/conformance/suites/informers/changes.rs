//! Existing objects, changes, and the notifications of handlers.

#![allow(clippy::similar_names, reason = "a stage and the state of what is on it")]

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::{HandlerOptions, InformerOptions, Notification, SharedInformer, Subscription};
use client_rs_informers::RestListWatch;
use client_rs_machinery::{Object, Resource, ShardField, ShardSelector, fields};
use client_rs_tests::{Stage, eventually};

use super::history::History;
use super::scene::{Scene, cached};

async fn next(stream: &mut Subscription<ConfigMap>) -> Result<Notification<ConfigMap>> {
    stream.next().await.context("the informer has stopped")
}

pub(super) async fn in_order(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    scene.create("a", "1").await?;
    scene.create("b", "1").await?;
    let informer = scene.informer(InformerOptions::default());
    let mut stream = informer.subscribe()?;
    let running = informer.spawn();
    ensure!(informer.synced().await, "it stopped");
    let mut initial = Vec::new();
    for _ in 0..2 {
        match next(&mut stream).await? {
            Notification::Added { object, is_initial: true } => initial.push(object.name().to_owned()),
            other => bail!("{other:?}"),
        }
    }
    initial.sort();
    ensure!(initial == ["a", "b"], "{initial:?}");

    let created = scene.create("c", "1").await?;
    let updated = scene.update("c", "2").await?;
    scene.delete("c").await?;
    match next(&mut stream).await? {
        Notification::Added { object, is_initial: false } => {
            ensure!(object.resource_version() == created.resource_version(), "{object:?}");
        }
        other => bail!("{other:?}"),
    }
    match next(&mut stream).await? {
        Notification::Updated { old, new } => {
            ensure!(old.resource_version() == created.resource_version(), "{old:?}");
            ensure!(new.resource_version() == updated.resource_version(), "{new:?}");
            ensure!(new.metadata.managed_fields.is_empty(), "managedFields are kept");
        }
        other => bail!("{other:?}"),
    }
    match next(&mut stream).await? {
        Notification::Deleted(deleted) => {
            ensure!(deleted.key().name == "c" && !deleted.is_tombstone(), "{deleted:?}");
        }
        other => bail!("{other:?}"),
    }
    ensure!(stream.registration().has_synced(), "the existing objects have been delivered");
    let lister = informer.lister(ConfigMap::gvr().group_resource());
    let lister = lister.namespace(scene.namespace.as_str());
    ensure!(lister.get("a")?.name() == "a");
    ensure!(lister.get("c").is_err_and(|error| error.is_not_found()));
    ensure!(lister.list(&Scene::selector())?.len() == 2);
    running.shutdown().await?;
    Ok(())
}

pub(super) async fn late_handler(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    for name in ["a", "b", "c"] {
        scene.create(name, "1").await?;
    }
    let informer = scene.informer(InformerOptions::default());
    let early = History::default();
    let registration = informer.add_handler(early.clone())?;
    let running = informer.spawn();
    ensure!(registration.synced().await, "it stopped");
    scene.update("a", "2").await?;
    scene.delete("b").await?;
    scene.equal(&informer).await?;

    let late = History::default();
    let registration = informer.add_handler(late.clone())?;
    ensure!(registration.synced().await, "it stopped");
    late.ends_with(&scene.versions().await?).await?;
    scene.create("d", "1").await?;
    let versions = scene.versions().await?;
    late.ends_with(&versions).await?;
    early.ends_with(&versions).await?;

    // A removed handler gets no more notifications.
    informer.shutdown_handler(&registration).await;
    scene.create("e", "1").await?;
    early.ends_with(&scene.versions().await?).await?;
    late.ends_with(&versions).await?;
    running.shutdown().await?;
    Ok(())
}

pub(super) async fn resync(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    for name in ["a", "b"] {
        scene.create(name, "1").await?;
    }
    let second = Duration::from_secs(1);
    let informer = scene.informer(InformerOptions::default().with_resync_period(second));
    let never = HandlerOptions::default().with_resync_period(Duration::ZERO);
    let quiet = informer.add_handler_with(History::default(), never)?;
    let mut stream = informer.subscribe()?;
    let running = informer.spawn();
    let mut again = std::collections::BTreeMap::<String, usize>::new();
    while again.len() < 2 || again.values().any(|times| *times < 2) {
        match next(&mut stream).await? {
            Notification::Updated { old, new } => {
                ensure!(old.resource_version() == new.resource_version(), "{new:?}");
                *again.entry(new.name().to_owned()).or_default() += 1;
            }
            Notification::Added { .. } => {}
            other @ Notification::Deleted(_) => bail!("{other:?}"),
        }
    }
    let state = informer.state();
    let delivered =
        state.handlers.iter().find(|handler| handler.name == quiet.name()).map(|handler| handler.delivered);
    ensure!(delivered == Some(2), "a handler without resync was notified {delivered:?} times");
    running.shutdown().await?;
    Ok(())
}

/// The parts of one cache, whether or not the server can filter.
pub(super) async fn shards(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    let names: Vec<String> = (10..30).map(|number| format!("m{number}")).collect();
    for name in &names[..12] {
        scene.create(name, "1").await?;
    }
    let part = |number| {
        let shard = ShardSelector::part(ShardField::Uid, number, 3).unwrap();
        let source = RestListWatch::<ConfigMap>::new(scene.rest.clone()).namespace(&scene.namespace);
        SharedInformer::new(source.labels(&Scene::selector()).shard(shard))
    };
    let parts: Vec<_> = (0..3).map(part).collect();
    let running: Vec<_> = parts.iter().map(SharedInformer::spawn).collect();
    for part in &parts {
        ensure!(part.synced().await, "stopped");
    }
    let all = || {
        let mut names: Vec<String> = parts.iter().flat_map(|part| cached(part).into_keys()).collect();
        names.sort();
        names
    };
    ensure!(all() == names[..12], "{:?}", all());
    for name in &names[12..] {
        scene.create(name, "1").await?;
    }
    eventually("each object is in one cache", || async {
        ensure!(all() == names, "{:?}", all());
        Ok(())
    })
    .await?;
    for running in running {
        running.shutdown().await?;
    }
    Ok(())
}

pub(super) async fn selectors(stage: &Stage) -> Result<()> {
    let (scene, other) = (Scene::new(stage).await?, Scene::new(stage).await?);
    scene.create("a", "1").await?;
    scene.create("b", "1").await?;
    other.create("a", "1").await?;
    let ours = scene.informer(InformerOptions::default());
    let source = RestListWatch::<ConfigMap>::new(scene.rest.clone())
        .labels(&Scene::selector())
        .fields(&fields::Selector::parse("metadata.name=a")?);
    let named = SharedInformer::new(source);
    let running = (ours.spawn(), named.spawn());
    ensure!(ours.synced().await && named.synced().await, "stopped");
    ensure!(cached(&ours).keys().eq(["a", "b"]), "{:?}", cached(&ours));
    let namespaces = |informer: &SharedInformer<ConfigMap>| {
        let mut namespaces: Vec<_> =
            informer.indexer().list().iter().map(|object| object.namespace().to_owned()).collect();
        namespaces.retain(|namespace| [&scene.namespace, &other.namespace].contains(&namespace));
        namespaces.sort();
        namespaces
    };
    let mut both = vec![scene.namespace.clone(), other.namespace.clone()];
    both.sort();
    ensure!(namespaces(&named) == both, "{:?}", namespaces(&named));

    // An object that no longer matches is deleted from the cache, and returns when it matches again.
    let relabel = |value: &'static str| {
        let mut object = Scene::object("b", "2");
        object.metadata.labels.insert("scene", value.into());
        let put = client_rs_client::Request::put().of::<ConfigMap>().namespace(&scene.namespace).name("b");
        scene.rest.send::<ConfigMap>(put.object(object))
    };
    let mut stream = ours.subscribe()?;
    relabel("theirs").await?;
    relabel("ours").await?;
    let mut told = Vec::new();
    while told.len() < 4 {
        told.push(match next(&mut stream).await? {
            Notification::Added { object, is_initial } => format!("added {} {is_initial}", object.name()),
            Notification::Updated { new, .. } => format!("updated {}", new.name()),
            Notification::Deleted(deleted) => format!("deleted {}", deleted.key().name),
        });
    }
    told[..2].sort();
    ensure!(told == ["added a true", "added b true", "deleted b", "added b false"], "{told:?}");
    scene.equal(&ours).await?;
    running.0.shutdown().await?;
    running.1.shutdown().await?;
    Ok(())
}

pub(super) async fn three_kinds(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    for number in 0..20 {
        scene.create(&format!("object-{number}"), "1").await?;
    }
    let (gvr, namespace, selector) = (ConfigMap::gvr(), scene.namespace.as_str(), Scene::selector());
    let dynamic =
        RestListWatch::dynamic(scene.rest.clone(), gvr.clone()).namespace(namespace).labels(&selector);
    let metadata = RestListWatch::metadata(scene.rest.clone(), gvr).namespace(namespace).labels(&selector);
    let typed = scene.informer(InformerOptions::default());
    let dynamic = SharedInformer::new(dynamic);
    let metadata = SharedInformer::new(metadata);
    let running = (typed.spawn(), dynamic.spawn(), metadata.spawn());
    ensure!(typed.synced().await && dynamic.synced().await && metadata.synced().await, "stopped");
    for number in 0..10 {
        scene.update(&format!("object-{number}"), "2").await?;
        scene.delete(&format!("object-{}", number + 10)).await?;
    }
    scene.equal(&typed).await?;
    let server = scene.versions().await?;
    eventually("all three are the server's", || async {
        ensure!(cached(&dynamic) == server && cached(&metadata) == server);
        Ok(())
    })
    .await?;
    for object in typed.indexer().list() {
        let other = dynamic.indexer().get(&object.key()).context("it is not there")?;
        ensure!((other.api_version(), other.kind()) == ("v1", "ConfigMap"), "{other:?}");
        ensure!(other.nested_str(&["data", "value"])? == object.data.get("value").map(|value| &**value));
        let bare = metadata.indexer().get(&object.key()).context("it is not there")?;
        ensure!(bare.label("scene") == Some("ours") && bare.uid() == object.uid(), "{bare:?}");
    }
    running.0.shutdown().await?;
    running.1.shutdown().await?;
    running.2.shutdown().await?;
    Ok(())
}

pub(super) async fn read_your_writes(stage: &Stage) -> Result<()> {
    let scene = Scene::new(stage).await?;
    let informer = scene.informer(InformerOptions::default());
    let running = informer.spawn();
    ensure!(informer.synced().await, "it stopped");
    let lister = informer.lister(ConfigMap::gvr().group_resource());
    for number in 0..20 {
        let written = match number {
            0 => scene.create("a", "0").await?,
            _ => scene.update("a", &number.to_string()).await?,
        };
        let deadline = tokio::time::Instant::now() + Duration::from_mins(1);
        let found: Option<Arc<ConfigMap>> =
            lister.at_least(&written.key(), written.resource_version(), deadline).await?;
        ensure!(found.is_some_and(|found| found.data == written.data), "write {number}");
    }
    running.shutdown().await?;
    Ok(())
}
