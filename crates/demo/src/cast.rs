//! The observer of the demo: its own informer, separate from those of the controllers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use client_rs_api::core::v1::Pod;
use client_rs_cache::{Delivery, FactoryOptions, HandlerFns, HandlerOptions};
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::Object;
use client_rs_machinery::labels::Selector;

use super::Stage;
use super::claims::Claims;
use super::screen::Summary;
use super::story::LABEL;

/// How long the cache may take to catch up at the end.
const CATCH_UP: Duration = Duration::from_secs(10);

/// The informer and the changes that it has seen.
pub(super) struct Cast {
    factory: SharedInformerFactory,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    added: u64,
    updated: u64,
    deleted: u64,
    /// Changes that are not printed yet.
    lines: VecDeque<String>,
}

impl Cast {
    pub(super) async fn start(stage: &Stage) -> Result<Self> {
        let options = FactoryOptions::default().with_namespaces([stage.namespace.as_str()]);
        let factory = SharedInformerFactory::with_options(stage.rest.clone(), options);
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let (added, updated, deleted) = (Arc::clone(&seen), Arc::clone(&seen), Arc::clone(&seen));
        let handler = HandlerFns::new()
            .on_add(move |pod: &Arc<Pod>, _| {
                let mut seen = lock(&added);
                seen.added += 1;
                seen.lines.push_back(format!("added    {}", pod.metadata.name));
            })
            .on_update(move |old: &Arc<Pod>, pod: &Arc<Pod>| {
                let mut seen = lock(&updated);
                seen.updated += 1;
                if let Some(change) = change(old, pod) {
                    seen.lines.push_back(format!("updated  {}: {change}", pod.metadata.name));
                }
            })
            .on_delete(move |pod| {
                let mut seen = lock(&deleted);
                seen.deleted += 1;
                seen.lines.push_back(format!("deleted  {}", pod.key().name));
            });
        // It counts: so it wants each event, not the sum of them.
        let options = HandlerOptions::default().with_delivery(Delivery::EveryEvent);
        factory.core().v1().pods().informer().add_handler_with(handler, options)?;
        factory.start();
        factory.wait_for_cache_sync().await;
        Ok(Self { factory, seen })
    }

    /// The changes that the informer delivered since the last call, and the current work of the controllers.
    pub(super) fn news(&self, stage: &Stage) -> (Vec<String>, Option<String>) {
        let lines = std::mem::take(&mut lock(&self.seen).lines);
        let controllers = stage.workloads.as_ref().map(|workloads| {
            let states = workloads.controllers();
            let told = states.iter().map(|state| {
                format!(
                    "{} {} waiting, {} in progress, {} done",
                    state.name,
                    state.ready + state.delayed,
                    state.in_flight.len(),
                    state.counts.total()
                )
            });
            told.collect::<Vec<_>>().join("; ")
        });
        (lines.into(), controllers)
    }

    /// Compares the cache with the server, and ends.
    pub(super) async fn end(self, stage: &Stage, claims: &mut Claims) -> Summary {
        let same = tokio::time::timeout(CATCH_UP, async {
            loop {
                match self.compare(stage).await {
                    Ok((true, count)) => return (true, count),
                    _ => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        });
        let (cache_is_server, objects) = same.await.unwrap_or((false, 0));
        claims.check("the informer's cache is what the server has", cache_is_server);
        let states =
            stage.workloads.as_ref().map(client_rs_workloads::Workloads::controllers).unwrap_or_default();
        let failed: u64 = states.iter().map(|state| state.counts.panics + state.counts.timeouts).sum();
        if stage.workloads.is_some() {
            claims.check("no reconcile panicked or took too long", failed == 0);
        }
        self.factory.shutdown().await;
        let seen = lock(&self.seen);
        Summary {
            added: seen.added,
            updated: seen.updated,
            deleted: seen.deleted,
            reconciles: states.iter().map(|state| (state.name.clone(), state.counts.total())).collect(),
            queue: stage.latencies.quantile(0.5).zip(stage.latencies.quantile(0.99)),
            cache_is_server,
            objects,
        }
    }

    async fn compare(&self, stage: &Stage) -> Result<(bool, usize)> {
        let clientset = Clientset::from_rest(stage.rest.clone());
        let version = |pod: &Pod| (pod.key(), pod.metadata.resource_version.clone());
        let pods = clientset.core_v1().pods(stage.namespace.as_str()).list().label_selector(LABEL).await;
        let stored: BTreeMap<_, _> = pods.context("can't list pods")?.items.iter().map(version).collect();
        let selector = Selector::parse(LABEL)?;
        let cached = self.factory.core().v1().pods().lister().list(&selector);
        let cached: BTreeMap<_, _> = cached.iter().map(|pod| version(pod)).collect();
        Ok((stored == cached, stored.len()))
    }
}

/// The part of a change that is worth a line.
fn change(old: &Pod, new: &Pod) -> Option<String> {
    if new.is_being_deleted() && !old.is_being_deleted() {
        return Some("is terminating".to_owned());
    }
    if old.spec.node_name != new.spec.node_name {
        return Some(format!("placed on {}", new.spec.node_name));
    }
    (old.status.phase != new.status.phase).then(|| format!("{} → {}", old.status.phase, new.status.phase))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
