//! Own writes to objects that others change or delete while the watch is interrupted. Paused time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_apiserver::{Effect, Fault, InjectedFault};
use client_rs_cache::SharedInformer;
use client_rs_client::Api;
use client_rs_machinery::{Object, ObjectKey, json};
use tokio_util::sync::CancellationToken;

use super::own_writes::{Cluster, owned_secret};
use crate::{Action, Context, Controller, ControllerOptions, RunnableController};

/// An interruption of the lists and watches of secrets.
struct Gap<'a> {
    cluster: &'a Cluster,
    fault: InjectedFault,
}

impl<'a> Gap<'a> {
    async fn begin(cluster: &'a Cluster) -> Self {
        let down = Effect::status(503, "ServiceUnavailable", "no lists and watches");
        let down = Fault::new(down).method("GET").path_contains("/secrets");
        let fault = cluster.server.controls().inject(down);
        cluster.server.controls().drop_watches();
        // The watch of the config maps is open again: it has no gap.
        tokio::time::sleep(Duration::from_secs(10)).await;
        Self { cluster, fault }
    }

    /// Ends it. The server has no events of the gap any more, so the informer lists again.
    async fn end(self) {
        // The watch of the config maps is at the newest version, so it continues.
        self.cluster.apply_map("other", 0).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        self.cluster.server.controls().compact();
        self.fault.remove();
        tokio::time::sleep(Duration::from_mins(2)).await;
    }
}

/// A client of another process.
fn others(cluster: &Cluster) -> Api<Secret> {
    Api::namespaced(&cluster.server.rest_client().unwrap(), "default")
}

fn informers(cluster: &Cluster) -> (SharedInformer<ConfigMap>, SharedInformer<Secret>) {
    (cluster.informer(Duration::ZERO), cluster.informer(Duration::ZERO))
}

/// Runs a controller, and stops it after some work.
async fn run_during(controller: &RunnableController, work: impl Future<Output = ()>) {
    let stop = CancellationToken::new();
    let (ended, ()) = tokio::join!(controller.run(stop.clone()), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        work.await;
        stop.cancel();
    });
    ended.unwrap();
}

/// A controller that creates a secret of the same name for each config map.
fn creator(
    cluster: &Cluster,
    (maps, secrets): (&SharedInformer<ConfigMap>, &SharedInformer<Secret>),
    options: ControllerOptions,
) -> RunnableController {
    let (map_store, secret_store) = (maps.indexer().clone(), secrets.indexer().clone());
    let api = cluster.secrets.clone();
    Controller::with_options("creator", maps.clone(), options).owns(secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, found, api) = (map_store.get(&key), secret_store.get(&key).is_some(), api.clone());
            async move {
                if let Some(map) = map.filter(|map| map.name().starts_with("app") && !found) {
                    let mut secret = owned_secret(&map, "");
                    secret.metadata.name = map.name().into();
                    api.create(secret).await?;
                }
                Ok(Action::done())
            }
        },
    )
}

#[tokio::test(start_paused = true)]
async fn a_child_that_is_created_and_deleted_in_a_gap_is_created_again() {
    for read_own_writes in [true, false] {
        let cluster = Cluster::new().await;
        let (maps, secrets) = informers(&cluster);
        let _running = (maps.spawn(), secrets.spawn());
        let options = ControllerOptions::default().with_read_own_writes(read_own_writes);
        let controller = creator(&cluster, (&maps, &secrets), options);
        run_during(&controller, async {
            let gap = Gap::begin(&cluster).await;
            cluster.apply_map("app", 0).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            others(&cluster).delete("app").await.expect("the controller has created it");
            gap.end().await;
        })
        .await;
        let state = controller.state();
        assert_eq!(maps.state().reflectors[0].relists, 0, "config maps have no gap");
        assert!(cluster.secrets.get("app").await.is_ok(), "{read_own_writes} {state:?}");
        assert_eq!((state.counts.errors, secrets.state().reflectors[0].relists), (0, 1), "{state:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_gap_in_which_nothing_is_skipped_leads_to_no_run() {
    let cluster = Cluster::new().await;
    let (maps, secrets) = informers(&cluster);
    let _running = (maps.spawn(), secrets.spawn());
    let controller = creator(&cluster, (&maps, &secrets), ControllerOptions::default());
    run_during(&controller, async {
        let gap = Gap::begin(&cluster).await;
        cluster.apply_map("app", 0).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        gap.end().await;
    })
    .await;
    let state = controller.state();
    // One for the config map, one for the secret, which the list shows as it was created, and one for the other config map.
    assert_eq!((state.counts.total(), state.stale_waits.timeouts), (3, 0), "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn the_key_that_wrote_an_object_runs_if_others_took_the_object_away() {
    let cluster = Cluster::new().await;
    let (maps, secrets) = informers(&cluster);
    let _running = (maps.spawn(), secrets.spawn());
    let runs: Arc<Mutex<Vec<String>>> = Arc::default();
    let (map_store, secret_store) = (maps.indexer().clone(), secrets.indexer().clone());
    let (api, seen) = (cluster.secrets.clone(), Arc::clone(&runs));
    let user = |secret: &Secret| secret.metadata.labels.get("user").map(ToString::to_string);
    let controller = Controller::new("labels", maps.clone())
        .watches(&secrets, move |secret| user(secret).map(|name| ObjectKey::new("default", name)))
        .reconcile(move |key: ObjectKey, _: Context| {
            let (map, api) = (map_store.get(&key), api.clone());
            let taken = secret_store.list().iter().any(|secret| user(secret).as_deref() == Some("b"));
            seen.lock().unwrap().push(format!("{} {taken}", key.name));
            async move {
                if key.name == "a" && map.is_some() && !taken {
                    let secret = json!({"metadata": {"name": "shared", "labels": {"user": "a"}}});
                    api.apply(secret, "controller").await?;
                }
                Ok(Action::done())
            }
        });
    run_during(&controller, async {
        let gap = Gap::begin(&cluster).await;
        cluster.apply_map("a", 0).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        let taken = json!({"metadata": {"name": "shared", "labels": {"user": "b"}}});
        others(&cluster).apply(taken, "other").force().await.unwrap();
        gap.end().await;
    })
    .await;
    // The list shows only the state that maps to b.
    let runs = runs.lock().unwrap();
    assert!(runs.contains(&"b true".to_owned()), "{runs:?}");
    assert_eq!(runs.iter().filter(|run| run.starts_with("a ")).collect::<Vec<_>>(), ["a false", "a true"]);
}

#[tokio::test(start_paused = true)]
async fn a_deletion_in_a_gap_followed_by_a_creation_of_others_leads_to_a_run() {
    let cluster = Cluster::new().await;
    let app = cluster.apply_map("own", 0).await;
    let mut secret = owned_secret(&app, "");
    secret.metadata.name = "own".into();
    others(&cluster).create(secret.clone()).await.unwrap();
    let (maps, secrets) = informers(&cluster);
    let _running = (maps.spawn(), secrets.spawn());
    let (secret_store, api) = (secrets.indexer().clone(), cluster.secrets.clone());
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let uids = Arc::clone(&seen);
    let controller = Controller::new("deleter", maps.clone()).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (secret, api, uids) = (secret_store.get(&key), api.clone(), Arc::clone(&uids));
            async move {
                if let Some(secret) = secret {
                    uids.lock().unwrap().push(secret.uid().to_owned());
                    // Not found, if this run is the one after the deletion.
                    let _ = api.delete(secret.name()).await;
                }
                Ok(Action::done())
            }
        },
    );
    // The first run is in the gap, so the cache does not show its deletion.
    let gap = tokio::join!(secrets.synced(), maps.synced(), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Gap::begin(&cluster).await
    })
    .2;
    run_during(&controller, async {
        others(&cluster).create(secret).await.expect("the controller has deleted the first one");
        gap.end().await;
    })
    .await;
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_ne!(seen[0], seen[1]);
    assert!(cluster.secrets.get("own").await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_detached_write_that_a_gap_hides_leads_to_a_run_of_the_owner() {
    let cluster = Cluster::new().await;
    let (maps, secrets) = informers(&cluster);
    let _running = (maps.spawn(), secrets.spawn());
    let (map_store, runs): (_, Arc<Mutex<Vec<String>>>) = (maps.indexer().clone(), Arc::default());
    let seen = Arc::clone(&runs);
    let controller =
        Controller::new("owner", maps.clone()).owns(&secrets).reconcile(move |key: ObjectKey, _: Context| {
            assert!(map_store.get(&key).is_some());
            seen.lock().unwrap().push(key.name.to_string());
            async { Ok(Action::done()) }
        });
    let app = cluster.apply_map("app", 0).await;
    run_during(&controller, async {
        let gap = Gap::begin(&cluster).await;
        let before = runs.lock().unwrap().len();
        let secret = cluster.secrets.create(owned_secret(&app, "s-")).await.unwrap();
        others(&cluster).delete(secret.name()).await.unwrap();
        gap.end().await;
        assert_eq!(runs.lock().unwrap()[before..], ["other", "app"]);
    })
    .await;
}
