use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_machinery::{GroupKind, ObjectKey};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::source::{Source, Thing, key, owned, thing};
use crate::{
    Action, Context, Controller, ControllerError, ControllerOptions, Notification, ReconcileError,
    ReconcileMetrics, ReconcileOutcome, RunnableController, generation_changed,
};

/// Runs a controller over its informers until it is idle for a while, and stops it.
async fn settle(
    controller: RunnableController,
    informers: &[client_rs_cache::SharedInformer<Thing>],
    quiet: Duration,
) {
    let running: Vec<_> = informers.iter().map(client_rs_cache::SharedInformer::spawn).collect();
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(controller.run(stop), async move {
        tokio::time::sleep(quiet).await;
        stopping.cancel();
    });
    ended.unwrap();
    for informer in running {
        informer.shutdown().await.unwrap();
    }
}

type Seen = Arc<Mutex<Vec<ObjectKey>>>;

fn recorder(
    seen: &Seen,
) -> impl Fn(ObjectKey, Context) -> std::future::Ready<crate::Result> + Send + Sync + 'static {
    let seen = Arc::clone(seen);
    move |key, _| {
        seen.lock().unwrap().push(key);
        std::future::ready(Ok(Action::done()))
    }
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_keys_with_failures_and_panics_converge_with_one_run_per_key_at_a_time() {
    let source = Source::new();
    for index in 0..10_000 {
        source.put(thing(&format!("t{index}")));
    }
    let informer = source.informer();
    let busy: Arc<Mutex<HashSet<ObjectKey>>> = Arc::default();
    let done: Arc<Mutex<HashSet<ObjectKey>>> = Arc::default();
    let runs = Arc::new(AtomicUsize::new(0));
    let options = ControllerOptions { workers: 16, ..ControllerOptions::default() };
    let (own_busy, own_done, own_runs) = (Arc::clone(&busy), Arc::clone(&done), Arc::clone(&runs));
    let controller =
        Controller::with_options("chaos", informer.clone(), options).reconcile(move |key: ObjectKey, _| {
            let (busy, done, runs) = (Arc::clone(&own_busy), Arc::clone(&own_done), Arc::clone(&own_runs));
            async move {
                assert!(busy.lock().unwrap().insert(key.clone()), "{key} is worked on twice at once");
                let turn = runs.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                assert!(busy.lock().unwrap().remove(&key));
                match turn % 7 {
                    0 => panic!("on purpose"),
                    1 => Err(ReconcileError::message("on purpose")),
                    2 => Ok(Action::requeue_after(Duration::from_millis(5))),
                    _ => {
                        done.lock().unwrap().insert(key);
                        Ok(Action::done())
                    }
                }
            }
        });
    settle(controller, &[informer], Duration::from_hours(2)).await;
    assert_eq!(done.lock().unwrap().len(), 10_000);
    assert!(busy.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_change_of_an_owned_object_enqueues_its_owner() {
    let (parents, children) = (Source::new(), Source::new());
    let (primary, secondary) = (parents.informer(), children.informer());
    let seen = Seen::default();
    let kind = GroupKind::new("apps", "ReplicaSet");
    let controller = Controller::new("owners", primary.clone())
        .owns_as(kind, true, &secondary, |_: &Notification<Thing>| true)
        .reconcile(recorder(&seen));
    children.put(owned("a-1", "ReplicaSet", "a", true));
    children.put(owned("b-1", "ReplicaSet", "b", false));
    children.put(owned("c-1", "Deployment", "c", true));
    let changing = children.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // It gets another owner: both owners are reconciled.
        changing.put(owned("a-1", "ReplicaSet", "d", true));
        tokio::time::sleep(Duration::from_secs(1)).await;
        changing.delete(&key("a-1"));
    });
    settle(controller, &[primary, secondary], Duration::from_mins(1)).await;
    let mut seen = seen.lock().unwrap().clone();
    seen[1..3].sort();
    assert_eq!(seen, [key("a"), key("a"), key("d"), key("d")]);
}

#[tokio::test(start_paused = true)]
async fn watched_objects_are_mapped_to_keys_and_predicates_filter_events() {
    let (parents, others) = (Source::new(), Source::new());
    let (primary, secondary) = (parents.informer(), others.informer());
    let seen = Seen::default();
    let controller = Controller::new("maps", primary.clone())
        .when(generation_changed())
        .watches(&secondary, |thing: &Arc<Thing>| {
            thing.metadata.labels.get("of").map(|of| ObjectKey::new("n", of.clone()))
        })
        .reconcile(recorder(&seen));
    parents.put(thing("p"));
    let mut other = thing("o");
    other.metadata.labels.insert("of", "q".into());
    others.put(other);
    let changing = parents.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut status_only = thing("p");
        status_only.metadata.labels.insert("x", "y".into());
        changing.put(status_only.clone());
        tokio::time::sleep(Duration::from_secs(1)).await;
        status_only.metadata.generation = 2;
        changing.put(status_only);
    });
    settle(controller, &[primary, secondary], Duration::from_mins(1)).await;
    let mut counts = BTreeMap::new();
    for key in seen.lock().unwrap().iter() {
        *counts.entry(key.name.to_string()).or_insert(0) += 1;
    }
    assert_eq!(counts, BTreeMap::from([("p".to_owned(), 2), ("q".to_owned(), 1)]));
}

#[tokio::test(start_paused = true)]
async fn the_outcome_of_a_run_decides_when_the_next_one_begins() {
    let source = Source::new();
    for name in ["error", "later", "panic", "terminal", "timeout", "done"] {
        source.put(thing(name));
    }
    let informer = source.informer();
    let runs: Arc<Mutex<BTreeMap<String, Vec<u32>>>> = Arc::default();
    let options = ControllerOptions {
        workers: 6,
        reconcile_timeout: Some(Duration::from_secs(3)),
        ..ControllerOptions::default()
    };
    let own = Arc::clone(&runs);
    let controller = Controller::with_options("ends", informer.clone(), options).reconcile(
        move |key: ObjectKey, cx: Context| {
            let own = Arc::clone(&own);
            async move {
                let count = {
                    let mut runs = own.lock().unwrap();
                    let runs = runs.entry(key.name.to_string()).or_default();
                    runs.push(cx.failures());
                    runs.len()
                };
                match (&*key.name, count) {
                    ("error", 1..=2) => Err(ReconcileError::message("no")),
                    ("later", 1) => Ok(Action::requeue_after(Duration::from_mins(1))),
                    ("panic", 1) => panic!("no"),
                    ("terminal", _) => Err(ReconcileError::terminal("never")),
                    ("timeout", 1) => std::future::pending().await,
                    _ => Ok(Action::done()),
                }
            }
        },
    );
    let running = informer.spawn();
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, state) = tokio::join!(controller.run(stop), async {
        tokio::time::sleep(Duration::from_secs(30)).await;
        assert_eq!(runs.lock().unwrap()["later"].len(), 1);
        tokio::time::sleep(Duration::from_mins(5)).await;
        let state = controller.state();
        stopping.cancel();
        state
    });
    ended.unwrap();
    running.shutdown().await.unwrap();
    let runs = runs.lock().unwrap();
    let told = |name: &str| runs[name].clone();
    assert_eq!(told("error"), [0, 1, 2]);
    assert_eq!(told("later"), [0, 0]);
    assert_eq!(told("panic"), [0, 1]);
    assert_eq!(told("terminal"), [0]);
    assert_eq!(told("timeout"), [0, 1]);
    assert_eq!(told("done"), [0]);
    let counts = state.counts;
    assert_eq!(
        (counts.errors, counts.terminal_errors, counts.panics, counts.timeouts, counts.requeue),
        (2, 1, 1, 1, 1)
    );
    assert_eq!(counts.total(), 11);
    assert_eq!((state.phase, state.ready, state.in_flight.len()), ("running", 0, 0));
    assert!(serde_json::to_string(&state).unwrap().contains("\"terminalErrors\":1"));
}

#[tokio::test(start_paused = true)]
async fn a_stop_drains_runs_and_drops_those_that_time_out_and_loses_no_key() {
    let source = Source::new();
    source.put(thing("quick"));
    source.put(thing("stuck"));
    let informer = source.informer();
    let finished: Seen = Arc::default();
    let options = ControllerOptions {
        workers: 2,
        drain_timeout: Duration::from_secs(5),
        ..ControllerOptions::default()
    };
    let (own, gate) = (Arc::clone(&finished), Arc::new(Semaphore::new(0)));
    let opened = Arc::clone(&gate);
    let controller = Controller::with_options("drain", informer.clone(), options).reconcile(
        move |key: ObjectKey, cx: Context| {
            let (own, gate) = (Arc::clone(&own), Arc::clone(&opened));
            async move {
                if &*key.name == "stuck" {
                    let _permit = gate.acquire().await;
                } else {
                    cx.stopping().cancelled().await;
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                own.lock().unwrap().push(key);
                Ok(Action::done())
            }
        },
    );
    let running = informer.spawn();
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(controller.run(stop), async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stopping.cancel();
    });
    ended.unwrap();
    assert_eq!(*finished.lock().unwrap(), [key("quick")]);
    assert_eq!(controller.state().phase, "stopped");
    assert_eq!(controller.queue().processing(), 0);
    // The second run finds the keys whose runs were dropped.
    gate.add_permits(10);
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(controller.run(stop), async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stopping.cancel();
    });
    ended.unwrap();
    assert_eq!(*finished.lock().unwrap(), [key("quick"), key("stuck")]);
    running.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_error_names_caches_that_do_not_sync() {
    let informer = Source::new().informer();
    let controller = Controller::new("late", informer.clone())
        .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())));
    // The informer is never started.
    let error = controller.run(CancellationToken::new()).await.unwrap_err();
    assert!(
        matches!(&error, ControllerError::NotSynced { controller, .. } if controller == "late"),
        "{error}"
    );
    let running = informer.spawn();
    running.shutdown().await.unwrap();
    let controller = Controller::new("gone", informer)
        .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())));
    let error = controller.run(CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, ControllerError::Source { .. }), "{error}");
}

#[tokio::test(start_paused = true)]
async fn live_events_are_reconciled_before_the_initial_list() {
    let source = Source::new();
    for index in 0..50 {
        source.put(thing(&format!("old{index:02}")));
    }
    let informer = source.informer();
    let seen = Seen::default();
    let controller = Controller::new("order", informer.clone()).reconcile(recorder(&seen));
    let running = informer.spawn();
    informer.synced().await;
    source.put(thing("new"));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(controller.run(stop), async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stopping.cancel();
    });
    ended.unwrap();
    running.shutdown().await.unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!((seen.len(), &seen[0]), (51, &key("new")));
}

#[tokio::test(start_paused = true)]
async fn dropping_a_controller_removes_its_handlers() {
    let informer = Source::new().informer();
    let controller = Controller::new("gone", informer.clone())
        .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())));
    assert_eq!(informer.state().handlers.len(), 1);
    drop(controller);
    assert_eq!(informer.state().handlers.len(), 0);
}

/// Panics whenever it is called.
struct Panics;

impl ReconcileMetrics for Panics {
    fn workers(&self, _: usize) {
        panic!("on purpose");
    }

    fn began(&self) {
        panic!("on purpose");
    }

    fn ended(&self, _: ReconcileOutcome, _: Duration) {
        panic!("on purpose");
    }
}

#[tokio::test(start_paused = true)]
async fn metrics_that_panic_lose_neither_workers_nor_keys() {
    let source = Source::new();
    for index in 0..10 {
        source.put(thing(&format!("t{index}")));
    }
    let informer = source.informer();
    let seen = Seen::default();
    let options = ControllerOptions {
        workers: 2,
        metrics: Some(Arc::new(Panics)),
        reconcile_timeout: Some(Duration::from_secs(1)),
        ..ControllerOptions::default()
    };
    let controller = Controller::with_options("panics", informer.clone(), options).reconcile(recorder(&seen));
    settle(controller, &[informer], Duration::from_mins(1)).await;
    let mut seen = seen.lock().unwrap().clone();
    seen.sort_unstable();
    assert_eq!(seen, (0..10).map(|index| key(&format!("t{index}"))).collect::<Vec<_>>());
}

/// An object that the mapping function of the tests below maps to a primary object.
fn labelled(name: &str, of: &str) -> Thing {
    let mut other = thing(name);
    other.metadata.labels.insert("of", of.into());
    other
}

#[tokio::test(start_paused = true)]
async fn keys_of_every_state_are_enqueued_even_if_the_controller_is_far_behind() {
    let (parents, children, others) = (Source::new(), Source::new(), Source::new());
    let informers = [parents.informer(), children.informer(), others.informer()];
    let seen = Seen::default();
    let controller = Controller::new("lags", informers[0].clone())
        .owns_as(GroupKind::new("apps", "ReplicaSet"), true, &informers[1], |_: &Notification<Thing>| true)
        .watches(&informers[2], |thing: &Arc<Thing>| {
            thing.metadata.labels.get("of").map(|of| ObjectKey::new("n", of.clone()))
        })
        .reconcile(recorder(&seen));
    children.put(owned("child", "ReplicaSet", "owner-1", true));
    others.put(labelled("other", "mapped-1"));
    let (changing, mapped) = (children.clone(), others.clone());
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // More events at once than the buffer of a handler holds.
        for number in 0..6_000 {
            changing.put(thing(&format!("noise{number}")));
            mapped.put(thing(&format!("noise{number}")));
        }
        changing.put(owned("child", "ReplicaSet", "owner-2", true));
        changing.put(owned("child", "ReplicaSet", "owner-3", true));
        changing.delete(&key("child"));
        // It is in the cache for a moment.
        changing.put(owned("brief", "ReplicaSet", "owner-4", true));
        changing.delete(&key("brief"));
        mapped.put(labelled("other", "mapped-2"));
        mapped.put(labelled("other", "mapped-3"));
        mapped.put(labelled("other", "mapped-1"));
        mapped.delete(&key("other"));
        mapped.put(labelled("brief", "mapped-4"));
        mapped.delete(&key("brief"));
        tokio::time::sleep(Duration::from_secs(1)).await;
    });
    let running = informers.clone().map(|informer| informer.spawn());
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, first) = tokio::join!(controller.run(stop), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let first = std::mem::take(&mut *seen.lock().unwrap());
        tokio::time::sleep(Duration::from_secs(10)).await;
        stopping.cancel();
        first
    });
    ended.unwrap();
    for informer in running {
        informer.shutdown().await.unwrap();
    }
    let names = |keys: &[ObjectKey]| keys.iter().map(|key| key.name.to_string()).collect::<BTreeSet<_>>();
    assert_eq!(names(&first), ["mapped-1", "owner-1"].map(str::to_owned).into());
    let expected =
        ["owner-1", "owner-2", "owner-3", "owner-4", "mapped-1", "mapped-2", "mapped-3", "mapped-4"];
    assert_eq!(names(&seen.lock().unwrap()), expected.map(str::to_owned).into());
}

#[tokio::test(start_paused = true)]
async fn a_mapping_function_that_panics_enqueues_all_primary_objects() {
    let (parents, others) = (Source::new(), Source::new());
    let (primary, secondary) = (parents.informer(), others.informer());
    let seen = Seen::default();
    let controller = Controller::new("odd", primary.clone())
        .watches(&secondary, |thing: &Arc<Thing>| {
            let of = thing.metadata.labels.get("of");
            assert_ne!(of.map(|of| &**of), Some("bad"), "a test wants it");
            of.map(|of| ObjectKey::new("n", of.clone()))
        })
        .reconcile(recorder(&seen));
    parents.put(thing("p"));
    parents.put(thing("q"));
    others.put(labelled("other", "known"));
    let (mapped, log) = (others.clone(), Arc::clone(&seen));
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        log.lock().unwrap().clear();
        mapped.put(labelled("other", "bad"));
    });
    settle(controller, &[primary, secondary], Duration::from_mins(1)).await;
    let names: BTreeSet<_> = seen.lock().unwrap().iter().map(|key| key.name.to_string()).collect();
    assert_eq!(names, ["known", "p", "q"].map(str::to_owned).into());
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_run_counts_as_cancelled_and_not_as_a_timeout() {
    let source = Source::new();
    source.put(thing("stuck"));
    let informer = source.informer();
    let metrics = crate::Prometheus::new();
    let options = ControllerOptions {
        drain_timeout: Duration::from_secs(1),
        reconcile_timeout: Some(Duration::from_hours(1)),
        ..ControllerOptions::default()
    };
    let controller =
        Controller::with_options("stuck", informer.clone(), options.with_prometheus(&metrics, "stuck"))
            .reconcile(|_: ObjectKey, _: Context| std::future::pending());
    let running = informer.spawn();
    let stop = CancellationToken::new();
    let stopping = stop.clone();
    let (ended, ()) = tokio::join!(controller.run(stop), async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stopping.cancel();
    });
    ended.unwrap();
    running.shutdown().await.unwrap();
    let state = controller.state();
    assert_eq!((state.counts.cancelled, state.counts.timeouts, state.counts.total()), (1, 0, 1));
    assert_eq!(state.last_error, None);
    let text = metrics.render();
    for line in [
        "controller_runtime_reconcile_total{controller=\"stuck\",result=\"cancelled\"} 1",
        "controller_runtime_reconcile_timeouts_total{controller=\"stuck\"} 0",
        "controller_runtime_reconcile_errors_total{controller=\"stuck\"} 0",
    ] {
        assert!(text.contains(line), "no {line} in:\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn all_of_several_predicates_must_admit_an_event() {
    let source = Source::new();
    for name in ["a", "ab", "b"] {
        source.put(thing(name));
    }
    let informer = source.informer();
    let seen = Seen::default();
    let has = |letter: char| move |event: &Notification<Thing>| event.key().name.contains(letter);
    let controller =
        Controller::new("both", informer.clone()).when(has('a')).when(has('b')).reconcile(recorder(&seen));
    settle(controller, &[informer], Duration::from_secs(1)).await;
    assert_eq!(*seen.lock().unwrap(), [key("ab")]);
}

#[tokio::test(start_paused = true)]
async fn events_within_the_settle_window_are_one_run_and_the_last_state_is_seen() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let options = ControllerOptions::default().with_settle_window(Duration::from_millis(200));
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let (own, store) = (Arc::clone(&seen), informer.indexer().clone());
    let controller =
        Controller::with_options("settled", informer.clone(), options).reconcile(move |key: ObjectKey, _| {
            let version = store.get(&key).map(|thing| thing.metadata.resource_version.to_string());
            own.lock().unwrap().push(version.unwrap_or_default());
            std::future::ready(Ok(Action::done()))
        });
    let informers = [informer];
    let ((), ()) = tokio::join!(settle(controller, &informers, Duration::from_secs(5)), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        for _ in 0..100 {
            source.put(thing("a"));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    let seen = seen.lock().unwrap();
    // The first list; the first event, at once; then one run per window.
    assert!((6..=8).contains(&seen.len()), "{seen:?}");
    assert_eq!(seen.last().unwrap(), "101");
    assert_eq!(seen[1], "2", "the first event did not wait");
}
