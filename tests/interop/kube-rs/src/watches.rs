//! Watches and what is built on them.

use std::pin::pin;

use anyhow::{Context, Result, bail, ensure};
use futures::{Stream, StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::core::PartialObjectMeta;
use kube::runtime::WatchStreamExt as _;
use kube::runtime::reflector::{self, ObjectRef};
use kube::runtime::wait::{await_condition, conditions};
use kube::runtime::watcher::{self, Event, watcher};
use kube::{Api, Client, Resource, ResourceExt as _};
use serde_json::json;

use crate::{NAMESPACE, api, config_map, labelled};

/// Makes a change to a map that is watched.
async fn touch(maps: &Api<ConfigMap>, name: &str) -> Result<()> {
    let patch = Patch::Merge(json!({"metadata": {"annotations": {"touched": "yes"}}}));
    maps.patch(name, &PatchParams::default(), &patch).await?;
    Ok(())
}

async fn create(maps: &Api<ConfigMap>, name: &str, group: &str) -> Result<()> {
    let mut map = config_map(name, "1");
    map.metadata = labelled(name, &[("group", group)]);
    maps.create(&PostParams::default(), &map).await?;
    Ok(())
}

pub(crate) async fn raw(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let version = maps.list(&ListParams::default()).await?.metadata.resource_version.context("no version")?;
    let asked = WatchParams::default().labels("group=raw");
    let mut events = pin!(maps.watch(&asked, &version).await?);
    create(&maps, "raw", "raw").await?;
    touch(&maps, "raw").await?;
    maps.delete("raw", &DeleteParams::default()).await?;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        match events.try_next().await?.context("it ended")? {
            WatchEvent::Added(map) => seen.push(format!("added {}", map.name_any())),
            WatchEvent::Modified(map) => seen.push(format!("modified {}", map.name_any())),
            WatchEvent::Deleted(map) => seen.push(format!("deleted {}", map.name_any())),
            WatchEvent::Bookmark(_) => {}
            WatchEvent::Error(status) => bail!("{status:?}"),
        }
    }
    ensure!(seen == ["added raw", "modified raw", "deleted raw"], "{seen:?}");
    Ok(())
}

pub(crate) async fn follows(client: &Client) -> Result<()> {
    follow(client, "follows", watcher::Config::default().labels("group=follows")).await
}

pub(crate) async fn streams(client: &Client) -> Result<()> {
    follow(client, "streams", watcher::Config::default().labels("group=streams").streaming_lists()).await
}

/// A watcher yields the existing objects, a mark for their end, and each change.
async fn follow(client: &Client, group: &str, config: watcher::Config) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let (old, new) = (format!("{group}-old"), format!("{group}-new"));
    create(&maps, &old, group).await?;
    let events = pin!(watcher(maps.clone(), config));
    tell(&maps, events, &old, &new, || create(&maps, &new, group)).await
}

pub(crate) async fn metadata(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    create(&maps, "meta-old", "meta").await?;
    let parts: Api<PartialObjectMeta<ConfigMap>> = Api::namespaced(client.clone(), NAMESPACE);
    let events = pin!(watcher(parts, watcher::Config::default().labels("group=meta")));
    tell(&maps, events, "meta-old", "meta-new", || create(&maps, "meta-new", "meta")).await
}

async fn tell<K, S, F>(
    maps: &Api<ConfigMap>,
    mut events: S,
    old: &str,
    new: &str,
    create: impl FnOnce() -> F,
) -> Result<()>
where
    K: Resource,
    S: Stream<Item = Result<Event<K>, watcher::Error>> + Unpin,
    F: Future<Output = Result<()>>,
{
    let mut seen = Vec::new();
    let mut create = Some(create);
    while seen.len() < 6 {
        match events.try_next().await?.context("it ended")? {
            Event::Init => seen.push("init".to_owned()),
            Event::InitApply(one) => seen.push(format!("has {}", one.name_any())),
            Event::InitDone => {
                seen.push("done".to_owned());
                create.take().context("twice")?().await?;
                touch(maps, old).await?;
                maps.delete(new, &DeleteParams::default()).await?;
            }
            Event::Apply(one) => seen.push(format!("apply {}", one.name_any())),
            Event::Delete(one) => seen.push(format!("delete {}", one.name_any())),
        }
    }
    let expected = [
        "init".to_owned(),
        format!("has {old}"),
        "done".to_owned(),
        format!("apply {new}"),
        format!("apply {old}"),
        format!("delete {new}"),
    ];
    ensure!(seen == expected, "{seen:?}");
    Ok(())
}

pub(crate) async fn reflects(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    for number in 0..20 {
        create(&maps, &format!("reflected-{number}"), "reflected").await?;
    }
    let (reader, writer) = reflector::store();
    let config = watcher::Config::default().labels("group=reflected").page_size(7);
    let stream = watcher(maps.clone(), config).default_backoff().reflect(writer).touched_objects();
    let running = tokio::spawn(stream.for_each(|_| std::future::ready(())));
    reader.wait_until_ready().await?;
    ensure!(reader.len() == 20, "{} in the store", reader.len());
    touch(&maps, "reflected-3").await?;
    maps.delete("reflected-4", &DeleteParams::default()).await?;
    create(&maps, "reflected-20", "reflected").await?;
    let key = |name: &str| ObjectRef::<ConfigMap>::new(name).within(NAMESPACE);
    loop {
        let touched = reader
            .get(&key("reflected-3"))
            .is_some_and(|map| map.annotations().get("touched").is_some_and(|value| value == "yes"));
        if touched && reader.get(&key("reflected-4")).is_none() && reader.get(&key("reflected-20")).is_some()
        {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let listed = maps.list(&ListParams::default().labels("group=reflected")).await?;
    let mut there: Vec<_> = listed.items.iter().map(|map| (map.name_any(), map.resource_version())).collect();
    let mut held: Vec<_> =
        reader.state().iter().map(|map| (map.name_any(), map.resource_version())).collect();
    (there.sort(), held.sort());
    ensure!(there == held, "the store has {held:?}, the server {there:?}");
    running.abort();
    Ok(())
}

pub(crate) async fn waits(client: &Client) -> Result<()> {
    let maps = api::<ConfigMap>(client);
    let waiting = tokio::spawn(await_condition(maps.clone(), "awaited", conditions::is_created()));
    create(&maps, "awaited", "awaited").await?;
    let made = waiting.await??.context("it was made and is not there")?;
    let uid = made.uid().context("no uid")?;
    let waiting = {
        let maps = maps.clone();
        tokio::spawn(async move { await_condition(maps, "awaited", conditions::is_deleted(&uid)).await })
    };
    maps.delete("awaited", &DeleteParams::default()).await?;
    waiting.await??;
    Ok(())
}
