//! Runs of keyed controllers see the writes of earlier runs of their key, with watch events that arrive late. Paused time.

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_apiserver::{Effect, Fault};
use client_rs_cache::SharedInformer;
use client_rs_machinery::Object;
use tokio_util::sync::CancellationToken;

use super::own_writes::{Cluster, owned_secret};
use crate::{Action, Context, ControllerState, KeyedController, KeyedOptions, ReconcileError};

const LAG: Duration = Duration::from_secs(2);

/// A controller with the names of config maps as keys, which creates a secret for each that has none.
fn creator(
    cluster: &Cluster,
    maps: &SharedInformer<ConfigMap>,
    secrets: &SharedInformer<Secret>,
    options: KeyedOptions<String>,
) -> KeyedController<String> {
    let (map_store, secret_store) = (maps.indexer().clone(), secrets.indexer().clone());
    let api = cluster.secrets.clone();
    let reconcile = move |name: String, _: Context| {
        let map = map_store.get(&client_rs_machinery::ObjectKey::new("default", name.as_str()));
        let (secrets, api) = (secret_store.list(), api.clone());
        async move {
            let Some(map) = map else { return Ok(Action::done()) };
            let is_own = |secret: &Arc<Secret>| secret.controller().is_some_and(|owner| owner.name == name);
            if !secrets.iter().any(is_own) {
                api.create(owned_secret(&map, "token-")).await?;
            }
            Ok(Action::done())
        }
    };
    let controller = KeyedController::with_options("creator", reconcile, options);
    controller.watch(maps, |map| [map.name().to_owned()]).unwrap().keep();
    let owner = |secret: &Arc<Secret>| secret.controller().map(|owner| owner.name.to_owned());
    controller.watch(secrets, owner).unwrap().keep();
    controller
}

async fn run_for(controller: &KeyedController<String>, time: Duration) -> ControllerState {
    let stop = CancellationToken::new();
    let (ended, ()) = tokio::join!(controller.run(stop.clone()), async {
        tokio::time::sleep(time).await;
        stop.cancel();
    });
    ended.unwrap();
    controller.state()
}

async fn created_secrets(options: KeyedOptions<String>, waits: bool) -> (usize, ControllerState) {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(LAG));
    let _running = (maps.spawn(), secrets.spawn());
    let controller = creator(&cluster, &maps, &secrets, options);
    let (state, ()) = tokio::join!(run_for(&controller, Duration::from_secs(20)), async {
        for step in 1..=10 {
            tokio::time::sleep(Duration::from_millis(150)).await;
            cluster.apply_map("app", step).await;
            if step == 5 && waits {
                let why = controller.why(&"app".to_owned());
                let wait = why.waits_for.as_ref().expect("it waits for its own write");
                assert!(wait.object.contains("default/token-"), "{wait:?}");
                assert!(why.to_string().contains("shows its own write of"), "{why}");
                assert_eq!(why.last_run.as_ref().unwrap().outcome, "success");
            }
        }
    });
    (cluster.secrets.list().await.unwrap().items.len(), state)
}

#[tokio::test(start_paused = true)]
async fn a_run_of_a_keyed_controller_sees_the_writes_of_the_one_before() {
    let (secrets, state) = created_secrets(KeyedOptions::default(), true).await;
    assert_eq!((secrets, state.counts.errors), (1, 0));
    assert!(state.stale_waits.total > 0 && state.stale_waits.timeouts == 0, "{state:?}");
    assert!(state.stale_waits.waiting.is_empty());
    // The same program without it shows the fault: the test has power.
    let (secrets, state) = created_secrets(KeyedOptions::default().with_read_own_writes(false), false).await;
    assert!(secrets > 1, "{secrets}");
    assert_eq!(state.stale_waits.total, 0);
}

#[tokio::test(start_paused = true)]
async fn a_keyed_controller_waits_for_a_cache_only_for_a_time() {
    let options = KeyedOptions::default().with_own_writes_timeout(Duration::from_millis(500));
    let (secrets, state) = created_secrets(options, false).await;
    assert!(secrets > 1 && state.stale_waits.timeouts > 0, "{secrets} {state:?}");
    assert!(state.stale_waits.waiting.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_write_without_an_outcome_is_looked_up_on_the_server() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let (maps, secrets) = (cluster.informer::<ConfigMap>(LAG), cluster.informer::<Secret>(Duration::ZERO));
    let _running = (maps.spawn(), secrets.spawn());
    let (store, api) = (maps.indexer().clone(), cluster.maps.clone());
    // The response of the first write is lost, after the server has stored it.
    let lost = cluster
        .server
        .controls()
        .inject(Fault::new(Effect::Truncate(10)).method("PUT").path_contains("/configmaps/app").times(1));
    let reconcile = move |name: String, _: Context| {
        let map = store.get(&client_rs_machinery::ObjectKey::new("default", name.as_str()));
        let api = api.clone();
        async move {
            let Some(map) = map else { return Ok(Action::done()) };
            if map.data.contains_key("done") {
                return Ok(Action::done());
            }
            let mut map = ConfigMap::clone(&map);
            map.data.insert("done", "yes".into());
            match api.update(map).await {
                Err(error) if error.is_conflict() => {
                    Err(ReconcileError::terminal("the run read an old state"))
                }
                outcome => outcome.map(|_| Action::done()).map_err(Into::into),
            }
        }
    };
    let controller = KeyedController::new("writer", reconcile);
    controller.watch(&maps, |map| [map.name().to_owned()]).unwrap().keep();
    let state = run_for(&controller, Duration::from_secs(20)).await;
    assert_eq!((lost.happened(), state.counts.terminal_errors), (1, 0), "{state:?}");
    assert!(state.counts.errors >= 1 && state.stale_waits.total >= 1, "{state:?}");
    assert!(cluster.maps.get("app").await.unwrap().data.contains_key("done"));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_ends_is_not_waited_for() {
    let cluster = Cluster::new().await;
    cluster.apply_map("app", 0).await;
    let never = Duration::from_hours(1);
    let (maps, secrets) = (cluster.informer::<ConfigMap>(Duration::ZERO), cluster.informer::<Secret>(never));
    let _running = (maps.spawn(), secrets.spawn());
    let api = cluster.secrets.clone();
    let store = maps.indexer().clone();
    let reconcile = move |name: String, _: Context| {
        let map = store.get(&client_rs_machinery::ObjectKey::new("default", name.as_str())).unwrap();
        let api = api.clone();
        async move {
            api.create(owned_secret(&map, "token-")).await?;
            Ok(Action::done())
        }
    };
    let options = KeyedOptions::default().with_wait_for_sync(false).with_own_writes_timeout(never);
    let controller = KeyedController::with_options("creator", reconcile, options);
    controller.watch(&maps, |map| [map.name().to_owned()]).unwrap().keep();
    let ended = controller.watch(&secrets, |_| [] as [String; 0]).unwrap();
    let (state, ()) = tokio::join!(run_for(&controller, Duration::from_secs(10)), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(ended);
        for step in 1..=3 {
            cluster.apply_map("app", step).await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    assert_eq!((state.counts.success, state.stale_waits.total), (4, 0), "{state:?}");
}
