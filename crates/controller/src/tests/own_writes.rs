//! Runs see the process's own writes, with watch events that arrive late. Paused time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_apiserver::{Effect, Fault, Server, ServerOptions};
use client_rs_cache::{FactoryOptions, Lagging, ListWatch, SharedInformer};
use client_rs_client::{Api, RestClient};
use client_rs_informers::{RestListWatch, SharedInformerFactory};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::references::controller_reference;
use client_rs_machinery::{Object, ObjectKey, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Action, Context, Controller, ControllerOptions, ControllerState, Manager, Prometheus, RunnableController,
};

const LAG: Duration = Duration::from_secs(2);

pub(super) struct Cluster {
    pub(super) server: Server,
    pub(super) rest: RestClient,
    pub(super) maps: Api<ConfigMap>,
    pub(super) secrets: Api<Secret>,
}

impl Cluster {
    pub(super) async fn new() -> Self {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let (maps, secrets) = (Api::namespaced(&rest, "default"), Api::namespaced(&rest, "default"));
        Self { server, rest, maps, secrets }
    }

    pub(super) async fn apply_map(&self, name: &str, label: usize) -> ConfigMap {
        let document = json!({"metadata": {"name": name, "labels": {"step": label.to_string()}}});
        self.maps.apply(document, "user").force().await.unwrap()
    }

    pub(super) fn informer<K>(&self, lag: Duration) -> SharedInformer<K>
    where
        RestListWatch<K>: ListWatch<K>,
        K: client_rs_machinery::Resource
            + client_rs_machinery::wire::Payload
            + client_rs_machinery::verbs::List
            + client_rs_machinery::verbs::Watch,
    {
        SharedInformer::new(Lagging::new(
            RestListWatch::<K>::new(self.rest.clone()).namespace("default"),
            lag,
        ))
    }
}

pub(super) fn owned_secret(owner: &ConfigMap, prefix: &str) -> Secret {
    let mut secret = Secret::EMPTY;
    secret.metadata.generate_name = prefix.into();
    secret.metadata.owner_references = [controller_reference(owner).unwrap()].into();
    secret
}

/// Runs a controller for a while.
pub(super) async fn run_for(controller: &RunnableController, time: Duration) -> ControllerState {
    let stop = CancellationToken::new();
    let (ended, ()) = tokio::join!(controller.run(stop.clone()), async {
        tokio::time::sleep(time).await;
        stop.cancel();
    });
    ended.unwrap();
    controller.state()
}

/// A controller that creates a secret for each config map that has none, as a careless author writes it.
pub(super) fn creator(
    cluster: &Cluster,
    maps: &SharedInformer<ConfigMap>,
    secrets: &SharedInformer<Secret>,
    options: ControllerOptions,
) -> RunnableController {
    let (map_store, secret_store) = (maps.indexer().clone(), secrets.indexer().clone());
    let api = cluster.secrets.clone();
    Controller::with_options("creator", maps.clone(), options).owns(secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, secrets) = (map_store.get(&key), secret_store.list());
            let api = api.clone();
            async move {
                let Some(map) = map else { return Ok(Action::done()) };
                if !secrets
                    .iter()
                    .any(|secret| secret.controller().is_some_and(|owner| owner.name == map.name()))
                {
                    api.create(owned_secret(&map, "token-")).await?;
                }
                Ok(Action::done())
            }
        },
    )
}

async fn created_secrets(read_own_writes: bool) -> (usize, ControllerState) {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    // The primary objects arrive at once, and the children late.
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let metrics = Prometheus::new();
    let options = ControllerOptions::default()
        .with_read_own_writes(read_own_writes)
        .with_prometheus(&metrics, "creator");
    let controller = creator(&cluster, &maps, &secrets, options);
    let (state, ()) = tokio::join!(run_for(&controller, Duration::from_secs(20)), async {
        for step in 1..=10 {
            tokio::time::sleep(Duration::from_millis(150)).await;
            cluster.apply_map("app", step).await;
        }
    });
    let count = format!(
        "controller_stale_wait_seconds_count{{controller=\"creator\"}} {}\n",
        state.stale_waits.total
    );
    assert!(metrics.render().contains(&count), "{count} is missing in {}", metrics.render());
    (cluster.secrets.list().await.unwrap().items.len(), state)
}

#[tokio::test(start_paused = true)]
async fn a_run_after_its_own_create_creates_nothing_twice() {
    let (secrets, state) = created_secrets(true).await;
    assert_eq!(secrets, 1);
    assert_eq!(state.counts.errors, 0);
    assert!(state.stale_waits.total > 0 && state.stale_waits.timeouts == 0, "{state:?}");
    assert!(state.stale_waits.waiting.is_empty());
    // The same program without it shows the fault: the test has power.
    let (secrets, state) = created_secrets(false).await;
    assert!(secrets > 1, "{secrets}");
    assert_eq!(state.stale_waits.total, 0);
}

#[tokio::test(start_paused = true)]
async fn an_update_of_the_primary_object_meets_no_conflict() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let maps = cluster.informer::<ConfigMap>(LAG);
    let _running = maps.spawn();
    let (store, api) = (maps.indexer().clone(), cluster.maps.clone());
    let writes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&writes);
    let controller = Controller::new("counter", maps.clone()).reconcile(move |key: ObjectKey, _: Context| {
        let (map, api, writes) = (store.get(&key), api.clone(), Arc::clone(&counted));
        async move {
            let Some(map) = map else { return Ok(Action::done()) };
            let count: usize = map.data.get("count").map_or(0, |count| count.parse().unwrap());
            if count < 5 {
                let mut map = (*map).clone();
                map.data.insert("count", (count + 1).to_string().into());
                writes.fetch_add(1, Ordering::Relaxed);
                api.update(map).await?;
                // Without waiting, this run would come long before the event.
                return Ok(Action::requeue_after(Duration::from_millis(10)));
            }
            Ok(Action::done())
        }
    });
    let state = run_for(&controller, Duration::from_mins(1)).await;
    assert_eq!((writes.load(Ordering::Relaxed), state.counts.errors), (5, 0), "{state:?}");
    assert_eq!(cluster.maps.get("app").await.unwrap().data.get("count").unwrap().as_str(), "5");
}

#[tokio::test(start_paused = true)]
async fn other_keys_are_not_delayed_and_no_worker_waits() {
    let cluster = Cluster::new().await;
    for name in ["a", "b"] {
        cluster.apply_map(name, 0).await;
    }
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let runs: Arc<Mutex<HashMap<String, Vec<Duration>>>> = Arc::default();
    let (seen, store, api, began) =
        (Arc::clone(&runs), maps.indexer().clone(), cluster.secrets.clone(), Instant::now());
    let controller = Controller::new("one worker", maps.clone()).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, api, seen) = (store.get(&key), api.clone(), Arc::clone(&seen));
            async move {
                let first = {
                    let mut seen = seen.lock().unwrap();
                    let runs = seen.entry(key.name.to_string()).or_default();
                    runs.push(began.elapsed());
                    runs.len() == 1
                };
                if first && key.name == "a" {
                    api.create(owned_secret(&map.unwrap(), "s-")).await?;
                }
                // Both ask for another run soon.
                Ok(if first { Action::requeue_after(Duration::from_millis(20)) } else { Action::done() })
            }
        },
    );
    run_for(&controller, Duration::from_secs(10)).await;
    let runs = runs.lock().unwrap();
    assert!(runs["b"][1] < Duration::from_millis(100), "{runs:?}");
    assert!(runs["a"][1] >= LAG && runs["a"][1] < LAG + Duration::from_millis(100), "{runs:?}");
}

#[tokio::test(start_paused = true)]
async fn a_detached_task_is_attributed_to_the_owner_of_what_it_writes() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let (store, secret_store) = (maps.indexer().clone(), secrets.indexer().clone());
    let (api, old) = (cluster.secrets.clone(), Arc::new(AtomicUsize::new(0)));
    let seen_old = Arc::clone(&old);
    let spawned = Arc::new(AtomicUsize::new(0));
    let controller = Controller::new("detached", maps.clone()).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, api, store) = (store.get(&key).unwrap(), api.clone(), secret_store.clone());
            let (old, first) = (Arc::clone(&seen_old), spawned.fetch_add(1, Ordering::Relaxed) == 0);
            async move {
                if first {
                    // Not a part of this run.
                    tokio::spawn(async move { api.create(owned_secret(&map, "s-")).await });
                    return Ok(Action::requeue_after(Duration::from_millis(500)));
                }
                old.fetch_add(usize::from(store.is_empty()), Ordering::Relaxed);
                Ok(Action::done())
            }
        },
    );
    let state = run_for(&controller, Duration::from_secs(10)).await;
    assert!(state.counts.success >= 1 && state.stale_waits.total > 0, "{state:?}");
    assert_eq!(old.load(Ordering::Relaxed), 0, "no run saw the cache without the secret");
}

#[tokio::test(start_paused = true)]
async fn a_deletion_is_seen_before_the_next_run() {
    let cluster = Cluster::new().await;
    let app = cluster.apply_map("app", 0).await;
    cluster.secrets.create(owned_secret(&app, "s-")).await.unwrap();
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let (secret_store, api) = (secrets.indexer().clone(), cluster.secrets.clone());
    let deletes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&deletes);
    let controller =
        Controller::new("deleter", maps.clone()).owns(&secrets).reconcile(move |_: ObjectKey, _: Context| {
            let (secrets, api, deletes) = (secret_store.list(), api.clone(), Arc::clone(&counted));
            async move {
                for secret in secrets {
                    deletes.fetch_add(1, Ordering::Relaxed);
                    api.delete(secret.name()).await?;
                }
                Ok(Action::requeue_after(Duration::from_millis(100)))
            }
        });
    let state = run_for(&controller, Duration::from_secs(10)).await;
    assert_eq!((deletes.load(Ordering::Relaxed), state.counts.errors), (1, 0), "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn a_lost_response_is_found_by_a_read_from_the_server() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let lost = Fault::new(Effect::Truncate(0)).method("POST").path_contains("/secrets").times(1);
    let lost = cluster.server.controls().inject(lost);
    let (store, secret_store, api) =
        (maps.indexer().clone(), secrets.indexer().clone(), cluster.secrets.clone());
    let creates = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&creates);
    let controller = Controller::new("creator", maps.clone()).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, found) = (store.get(&key).unwrap(), secret_store.get(&key).is_some());
            let (api, creates) = (api.clone(), Arc::clone(&counted));
            async move {
                if !found {
                    creates.fetch_add(1, Ordering::Relaxed);
                    let mut secret = owned_secret(&map, "");
                    secret.metadata.name = map.name().into();
                    api.create(secret).await?;
                }
                Ok(Action::done())
            }
        },
    );
    let state = run_for(&controller, Duration::from_secs(10)).await;
    assert_eq!(lost.happened(), 1, "the create had an effect, and its response was lost");
    assert_eq!(creates.load(Ordering::Relaxed), 1, "the next run saw the secret: {state:?}");
    assert_eq!(state.counts.errors, 1);
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_never_catches_up_delays_a_run_only_up_to_the_limit() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let never = Duration::from_hours(10);
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(never));
    let _running = (maps.spawn(), secrets.spawn());
    let limit = Duration::from_secs(3);
    let options = ControllerOptions::default().with_own_writes_timeout(limit);
    let runs: Arc<Mutex<Vec<Duration>>> = Arc::default();
    let (seen, store, api, began) =
        (Arc::clone(&runs), maps.indexer().clone(), cluster.secrets.clone(), Instant::now());
    let controller = Controller::with_options("limited", maps.clone(), options).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, api, seen) = (store.get(&key).unwrap(), api.clone(), Arc::clone(&seen));
            async move {
                let first = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(began.elapsed());
                    seen.len() == 1
                };
                if first {
                    api.create(owned_secret(&map, "s-")).await?;
                    return Ok(Action::requeue_after(Duration::from_millis(1)));
                }
                Ok(Action::done())
            }
        },
    );
    let state = run_for(&controller, Duration::from_mins(1)).await;
    let runs = runs.lock().unwrap();
    assert_eq!((runs.len(), state.stale_waits.timeouts), (2, 1), "{runs:?} {state:?}");
    assert!(runs[1] >= 2 * limit && runs[1] < 2 * limit + Duration::from_millis(500), "{runs:?}");
}

#[tokio::test(start_paused = true)]
async fn an_object_that_was_deleted_by_others_ends_the_wait_through_a_read_from_the_server() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let never = Duration::from_hours(10);
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(never));
    let _running = (maps.spawn(), secrets.spawn());
    let (store, api, other) =
        (maps.indexer().clone(), cluster.secrets.clone(), cluster.server.rest_client().unwrap());
    let other = Api::<Secret>::namespaced(&other, "default");
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let controller = Controller::new("deleted", maps.clone()).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, api, other) = (store.get(&key).unwrap(), api.clone(), other.clone());
            let first = counted.fetch_add(1, Ordering::Relaxed) == 0;
            async move {
                if first {
                    let secret = api.create(owned_secret(&map, "s-")).await?;
                    // Not seen by this process: the other client has a log of its own.
                    tokio::spawn(async move { other.delete(secret.name()).await.unwrap() });
                    return Ok(Action::requeue_after(Duration::from_millis(1)));
                }
                Ok(Action::done())
            }
        },
    );
    let state = run_for(&controller, Duration::from_mins(1)).await;
    // The cache never had the secret, and the server has it no longer.
    assert_eq!((runs.load(Ordering::Relaxed), state.stale_waits.timeouts), (2, 0), "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn an_object_outside_the_selector_of_a_cache_is_not_waited_for() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let maps = cluster.informer::<ConfigMap>(Duration::ZERO);
    let selected = RestListWatch::<Secret>::new(cluster.rest.clone())
        .namespace("default")
        .labels(&Selector::parse("cached=yes").unwrap());
    let secrets = SharedInformer::new(Lagging::new(selected, LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let (store, api) = (maps.indexer().clone(), cluster.secrets.clone());
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let controller = Controller::new("selected", maps.clone()).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, api) = (store.get(&key).unwrap(), api.clone());
            let first = counted.fetch_add(1, Ordering::Relaxed) == 0;
            async move {
                if first {
                    api.create(owned_secret(&map, "s-")).await?;
                    return Ok(Action::requeue_after(Duration::from_millis(1)));
                }
                Ok(Action::done())
            }
        },
    );
    let state = run_for(&controller, Duration::from_millis(500)).await;
    assert_eq!((runs.load(Ordering::Relaxed), state.stale_waits.total), (2, 0), "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_during_a_wait_keeps_the_key() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let controller = creator(&cluster, &maps, &secrets, ControllerOptions::default());
    controller.queue().add(ObjectKey::new("default", "app"));
    let (state, ()) = tokio::join!(run_for(&controller, Duration::from_millis(500)), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        cluster.apply_map("app", 1).await;
    });
    assert_eq!(state.stale_waits.total, 1, "{state:?}");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(controller.state().stale_waits.waiting, [], "no wait continues after the stop");
    assert!(!controller.queue().is_empty(), "the next workers get the key");
    run_for(&controller, Duration::from_secs(1)).await;
    assert_eq!(cluster.secrets.list().await.unwrap().items.len(), 1);
}

/// Runs a controller that writes the same again and again, and returns the number of writes that the server received.
async fn writes_of<F, Fut>(cluster: &Cluster, write: F) -> (usize, ControllerState)
where
    F: Fn(Api<ConfigMap>, ConfigMap) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<ConfigMap, client_rs_client::Error>> + Send,
{
    let maps = cluster.informer::<ConfigMap>(LAG);
    let _running = maps.spawn();
    let (store, api, write) = (maps.indexer().clone(), cluster.maps.clone(), Arc::new(write));
    let controller = Controller::new("writer", maps.clone()).reconcile(move |key: ObjectKey, _: Context| {
        let (map, api, write) = (store.get(&key), api.clone(), Arc::clone(&write));
        async move {
            if let Some(map) = map {
                let written = write(api, (*map).clone()).await?;
                assert_eq!(written.name(), map.name());
            }
            Ok(Action::requeue_after(Duration::from_secs(5)))
        }
    });
    cluster.server.controls().clear_requests();
    let state = run_for(&controller, Duration::from_mins(1)).await;
    let writes =
        cluster.server.controls().requests().iter().filter(|request| request.method != "GET").count();
    (writes, state)
}

#[tokio::test(start_paused = true)]
async fn an_update_that_changes_nothing_is_not_sent() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let (writes, state) = writes_of(&cluster, |api, map| async move { api.update(map).await }).await;
    assert_eq!((writes, state.suppressed_writes, state.counts.requeue), (0, 12, 12), "{state:?}");
    let (writes, state) =
        writes_of(&cluster, |api, map| async move { api.update(map).send_unchanged().await }).await;
    assert_eq!((writes, state.suppressed_writes), (12, 0), "{state:?}");
    // A change is sent, and what equals the result is not.
    let (writes, state) = writes_of(&cluster, |api, mut map| async move {
        map.data.insert("a", "b".into());
        api.update(map).await
    })
    .await;
    assert_eq!((writes, state.counts.errors), (1, 0), "{state:?}");
    assert!(state.suppressed_writes >= 10, "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn an_apply_is_sent_again_only_after_somebody_elses_write() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let document = || json!({"metadata": {"name": "app"}, "data": {"a": "b"}});
    let other = Api::<ConfigMap>::namespaced(&cluster.server.rest_client().unwrap(), "default");
    let ((writes, state), ()) = tokio::join!(
        writes_of(&cluster, move |api, _| async move { api.apply(document(), "writer").force().await }),
        async {
            tokio::time::sleep(Duration::from_secs(30)).await;
            let document = json!({"metadata": {"name": "app"}, "data": {"a": "c"}});
            other.apply(document, "other").force().await.unwrap();
        }
    );
    // The first one, the other's, and one that takes the field back. The first would be sent even if the values were right: it
    // makes the manager an owner.
    assert_eq!((writes, state.counts.errors), (3, 0), "{state:?}");
    assert_eq!(cluster.maps.get("app").await.unwrap().data.get("a").unwrap().as_str(), "b");
    assert!(state.suppressed_writes >= 8, "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_down_gets_few_reads_however_many_keys_wait() {
    let cluster = Cluster::new().await;
    for index in 0..50 {
        cluster.apply_map(&format!("app-{index}"), 0).await;
    }
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let options = ControllerOptions::default().with_workers(50);
    let (store, secret_store, api) =
        (maps.indexer().clone(), secrets.indexer().clone(), cluster.secrets.clone());
    let controller = Controller::with_options("named", maps.clone(), options).owns(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (map, found, api) = (store.get(&key), secret_store.get(&key).is_some(), api.clone());
            async move {
                let Some(map) = map.filter(|map| map.name().starts_with("app-") && !found) else {
                    return Ok(Action::done());
                };
                let mut secret = owned_secret(&map, "");
                secret.metadata.name = map.name().into();
                api.create(secret).await?;
                Ok(Action::done())
            }
        },
    );
    // Writes have an unknown outcome, and reads of single objects fail.
    let down = |method: &str| Fault::new(Effect::status(503, "ServiceUnavailable", "down")).method(method);
    let writes = cluster.server.controls().inject(down("POST").path_contains("/secrets"));
    let reads = cluster
        .server
        .controls()
        .inject(down("GET").path_contains("/secrets").when(|request| request.uri.contains("metadata.name")));
    let (state, ()) = tokio::join!(run_for(&controller, Duration::from_mins(1)), async {
        tokio::time::sleep(Duration::from_secs(15)).await;
        writes.remove();
        reads.remove();
    });
    assert!((50..50 * 6).contains(&reads.happened()), "{} reads", reads.happened());
    assert_eq!(cluster.secrets.list().await.unwrap().items.len(), 50, "{state:?}");
}

#[tokio::test(start_paused = true)]
async fn informers_of_a_factory_name_their_collections() {
    let cluster = Cluster::new().await;
    let everywhere = SharedInformerFactory::new(cluster.rest.clone());
    let options = FactoryOptions::default().with_namespaces(["a", "b"]);
    let two = SharedInformerFactory::with_options(cluster.rest.clone(), options);
    let collections = |informer: SharedInformer<Secret>| {
        let collections = informer.collections().into_iter();
        collections.map(|one| (one.resource.resource.to_string(), one.namespace.map(|name| name.to_string())))
    };
    let secrets = |namespace: Option<&str>| ("secrets".to_owned(), namespace.map(str::to_owned));
    assert!(collections(everywhere.informer_for::<Secret>()).eq([secrets(None)]));
    assert!(collections(two.informer_for::<Secret>()).eq([secrets(Some("a")), secrets(Some("b"))]));
}

/// The way in which programs are written: informers of a factory, under a manager.
#[tokio::test(start_paused = true)]
async fn a_controller_of_a_factory_reads_its_own_writes() {
    let cluster = Cluster::new().await;
    for index in 0..20 {
        cluster.apply_map(&format!("app-{index}"), 0).await;
    }
    let factory = SharedInformerFactory::new(cluster.rest.clone());
    let (maps, secrets) = (factory.informer_for::<ConfigMap>(), factory.informer_for::<Secret>());
    let controller = Arc::new(creator(&cluster, &maps, &secrets, ControllerOptions::default()));
    let stop = CancellationToken::new();
    let manager = Manager::new(&factory).controller(Arc::clone(&controller));
    let (ended, ()) = tokio::join!(manager.run(stop.clone()), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // From here on, the cache of secrets learns nothing.
        cluster.server.controls().drop_watches();
        let down = Effect::status(503, "ServiceUnavailable", "no lists and watches");
        let down = Fault::new(down).method("GET").path_contains("/secrets");
        let down = cluster.server.controls().inject(down);
        cluster.apply_map("late", 0).await;
        for step in 1..10 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            cluster.apply_map("late", step).await;
        }
        assert_eq!(controller.state().stale_waits.waiting.len(), 1, "{:?}", controller.state());
        down.remove();
        tokio::time::sleep(Duration::from_secs(30)).await;
        stop.cancel();
    });
    ended.unwrap();
    let secrets = cluster.secrets.list().await.unwrap().items;
    let late = secrets.iter().filter(|secret| secret.controller().is_some_and(|owner| owner.name == "late"));
    assert_eq!(late.count(), 1, "{:?}", controller.state());
}
