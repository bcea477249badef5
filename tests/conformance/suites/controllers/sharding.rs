//! Three replicas, and what may happen to them.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::ConfigMap;
use client_rs_client::Api;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_tests::Stage;

use super::child::{KEYS, SHARDS};
use super::processes::Process;
use super::sink::Sink;

const SOON: Duration = Duration::from_mins(1);

pub(super) async fn faults(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    play(stage, &namespace, "replica").await
}

/// The same with whole managers, whose controllers get their keys from informers: a key that was skipped while its
/// shard moved is processed after the shard has arrived.
pub(super) async fn controllers(stage: &Stage) -> Result<()> {
    let namespace = stage.namespace().await?;
    let maps = Api::<ConfigMap>::namespaced(&stage.client()?, namespace.as_str());
    for number in 0..KEYS {
        let metadata = ObjectMeta { name: format!("key-{number}").into(), ..ObjectMeta::EMPTY };
        maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await?;
    }
    play(stage, &namespace, "controller").await
}

async fn play(stage: &Stage, namespace: &str, role: &str) -> Result<()> {
    let sink = Sink::start().await?;
    let mut replicas = Vec::new();
    for identity in ["replica-1", "replica-2", "replica-3"] {
        replicas.push(Process::start(stage, &sink, namespace, role, identity).await?);
    }
    settled(&sink, &["replica-1", "replica-2", "replica-3"]).await?;

    // Killed.
    replicas.remove(0).kill().await?;
    settled(&sink, &["replica-2", "replica-3"]).await?;

    // Stopped in the middle of its work; the other has it all.
    replicas[0].stop()?;
    settled(&sink, &["replica-3"]).await?;
    replicas[0].go_on()?;
    settled(&sink, &["replica-2", "replica-3"]).await?;

    // An orderly end: everything is released, and a new replica gets it all at once.
    let last = Process::start(stage, &sink, namespace, role, "replica-4").await?;
    settled(&sink, &["replica-2", "replica-3", "replica-4"]).await?;
    sink.end_all();
    for replica in replicas.into_iter().chain([last]) {
        ensure!(replica.ended().await?, "a replica failed");
    }
    // Their last words may still be on the way when the processes have ended.
    sink.until("all have left", SOON, |heard| {
        heard.held.keys().all(|replica| replica == "replica-1").then_some(())
    })
    .await?;
    let heard = sink.heard();
    for replica in ["replica-1", "replica-2", "replica-3", "replica-4"] {
        ensure!(heard.accepted.contains_key(replica), "{replica} has done nothing");
    }
    Ok(())
}

/// Waits until the replicas hold all shards evenly, and every key has been worked since.
async fn settled(sink: &Sink, replicas: &[&str]) -> Result<()> {
    let what = format!("shards spread over {replicas:?}");
    sink.until(&what, SOON, |heard| {
        let held: Option<Vec<usize>> =
            replicas.iter().map(|replica| heard.held.get(*replica).copied()).collect();
        let held = held?;
        let even = held.iter().max()? - held.iter().min()? <= 1;
        (even && held.iter().sum::<usize>() == SHARDS as usize).then_some(())
    })
    .await?;
    let since = Instant::now();
    sink.until("every key worked", SOON, |heard| {
        let worked = heard.worked.values().filter(|at| **at >= since).count();
        (worked == KEYS as usize).then_some(())
    })
    .await
    .with_context(|| what)
}
