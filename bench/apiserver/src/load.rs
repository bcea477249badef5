//! Many watchers of many creates.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_api::core::v1::{ConfigMap, Namespace, Secret};
use client_rs_client::{Api, RestClient};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::WatchEvent;
use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

/// How many creates are under way at a time.
const WRITERS: usize = 8;

/// The events of one watcher: names in the order of arrival.
struct Seen {
    names: Vec<u32>,
    took: Duration,
}

pub async fn run(client: RestClient, objects: usize, watchers: usize) -> Result<serde_json::Value> {
    let maps = Api::<ConfigMap>::namespaced(&client, "default");
    let from = maps.list().await?.metadata.resource_version.to_string();
    let ready = Arc::new(Barrier::new(watchers + 1));
    let mut watching = JoinSet::new();
    for _ in 0..watchers {
        watching.spawn(watch(maps.clone(), from.clone(), objects, Arc::clone(&ready)));
    }
    ready.wait().await;
    let begun = Instant::now();
    create(&maps, objects).await?;
    let created = begun.elapsed();
    let mut all = Vec::new();
    while let Some(seen) = watching.join_next().await {
        all.push(seen??);
    }
    let received = begun.elapsed();
    let first = all.first().context("no watcher")?;
    // Every watcher has seen each object once; all saw the same order, so it is the server's.
    let mut sorted = first.names.clone();
    sorted.sort_unstable();
    ensure!(sorted.iter().copied().eq(0..u32::try_from(objects)?), "objects are missing or came twice");
    ensure!(all.iter().all(|seen| seen.names == first.names), "watchers saw different orders");
    let slowest = all.iter().map(|seen| seen.took).max().unwrap_or_default();
    #[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    let (objects, events) = (objects as f64, (objects * watchers) as f64);
    Ok(json!({
        "creates_a_second": objects / created.as_secs_f64(),
        "events_a_second": events / received.as_secs_f64(),
        "events": events,
        "create_seconds": created.as_secs_f64(),
        "receive_seconds": received.as_secs_f64(),
        "slowest_watcher_seconds": slowest.as_secs_f64(),
    }))
}

/// Creates a namespace with Secrets in it.
pub async fn fill(rest: &RestClient, namespace: &str, secrets: usize) -> Result<()> {
    let metadata = |name: String| ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
    let own = Namespace { metadata: metadata(namespace.to_owned()), ..Namespace::EMPTY };
    Api::<Namespace>::cluster(rest).create(own).await?;
    let all = Api::<Secret>::namespaced(rest, namespace);
    for number in 0..secrets {
        let mut secret = Secret { metadata: metadata(format!("secret-{number}")), ..Secret::EMPTY };
        secret.string_data.insert("password", format!("{namespace}-{number}").into());
        all.create(secret).await?;
    }
    Ok(())
}

async fn create(maps: &Api<ConfigMap>, objects: usize) -> Result<()> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut writing = JoinSet::new();
    for _ in 0..WRITERS {
        let (maps, next) = (maps.clone(), Arc::clone(&next));
        writing.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= objects {
                    return anyhow::Ok(());
                }
                let mut object = ConfigMap::EMPTY;
                object.metadata.name = format!("object-{number}").into();
                object.data.insert("key", "value".into());
                maps.create(object).await?;
            }
        });
    }
    while let Some(ended) = writing.join_next().await {
        ended??;
    }
    Ok(())
}

async fn watch(maps: Api<ConfigMap>, from: String, objects: usize, ready: Arc<Barrier>) -> Result<Seen> {
    let mut watch = maps.watch().resource_version(from).await?;
    ready.wait().await;
    let begun = Instant::now();
    let (mut names, mut last) = (Vec::with_capacity(objects), 0_u64);
    while names.len() < objects {
        match watch.next().await {
            Some(Ok(WatchEvent::Added(object))) => {
                let version = object.metadata.resource_version.parse()?;
                ensure!(version > last, "version {version} came after {last}");
                last = version;
                let number =
                    object.metadata.name.strip_prefix("object-").context("an object of another client")?;
                names.push(number.parse()?);
            }
            Some(Ok(WatchEvent::Bookmark { .. })) => {}
            Some(Ok(other)) => bail!("an event that nothing caused: {other:?}"),
            Some(Err(error)) => return Err(error.into()),
            None => bail!("the watch ended after {} of {objects}", names.len()),
        }
    }
    Ok(Seen { names, took: begun.elapsed() })
}
