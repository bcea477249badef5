//! Runs that write, on the embedded server.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Secret};
use client_rs_apiserver::{Effect, Fault, Server, ServerOptions};
use client_rs_cache::Lagging;
use client_rs_client::{Api, RestClient};
use client_rs_informers::RestListWatch;
use client_rs_machinery::{ObjectKey, json};
use tokio::time::sleep;

use super::*;
use crate::{Action, Context, Controller, resource_version_changed};

struct Cluster {
    server: Server,
    rest: RestClient,
    maps: Api<ConfigMap>,
    secrets: Api<Secret>,
}

impl Cluster {
    async fn new() -> Self {
        let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
        let rest = server.rest_client().unwrap();
        let (maps, secrets) = (Api::namespaced(&rest, "default"), Api::namespaced(&rest, "default"));
        let cluster = Self { server, rest, maps, secrets };
        cluster.map("app", "user").await;
        cluster
    }

    async fn map(&self, name: &str, value: &str) {
        let document = json!({"metadata": {"name": name, "annotations": {"by": value}}});
        self.maps.apply(document, "user").force().await.unwrap();
    }

    fn maps(&self, lag: Duration) -> SharedInformer<ConfigMap> {
        let source = RestListWatch::<ConfigMap>::new(self.rest.clone()).namespace("default");
        SharedInformer::new(Lagging::new(source, lag))
    }

    fn secrets(&self, lag: Duration) -> SharedInformer<Secret> {
        let source = RestListWatch::<Secret>::new(self.rest.clone()).namespace("default");
        SharedInformer::new(Lagging::new(source, lag))
    }
}

fn app() -> ObjectKey {
    ObjectKey::new("default", "app")
}

#[tokio::test(start_paused = true)]
async fn puzzle_21_it_loops_on_its_own_writes() {
    let cluster = Cluster::new().await;
    let maps = cluster.maps(Duration::ZERO);
    let (api, runs) = (cluster.maps.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&runs);
    let controller = Controller::with_options("looper", maps.clone(), options()).reconcile(
        move |key: ObjectKey, _: Context| {
            let (api, run) = (api.clone(), counted.fetch_add(1, Ordering::Relaxed));
            async move {
                sleep(Duration::from_millis(100)).await;
                // The time of the last run, as many write it into the status.
                let document =
                    json!({"metadata": {"name": key.name, "annotations": {"seen": run.to_string()}}});
                api.apply(document, "looper").await?;
                Ok(Action::done())
            }
        },
    );
    let informers = vec![maps.spawn()];
    let running = Running::start(controller, informers).await;
    sleep(Duration::from_secs(5)).await;
    running.stop.cancel();
    let why = running.why(&app());
    let run = why.runs.iter().find(|run| !run.causes.is_empty() && run.causes[0].written_by.is_some());
    let run = run.unwrap_or_else(|| panic!("no run by an own write:\n{why}"));
    let cause = &run.causes[0];
    assert!(cause.text.contains("written by the run of default/app at"), "{why}");
    assert!(cause.text.contains("(PATCH configmaps)"), "{why}");
    assert_eq!(cause.changed, ["annotations"]);
    assert!(cause.origin[0].contains("the run of default/app at"), "{why}");
    assert_note(&why, &["was caused by a write of a run of the same key: a loop"]);
    assert_eq!((run.requests[0].verb, run.requests[0].status), ("PATCH", Some(200)));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_22_it_waits_until_a_late_watch_shows_its_own_write() {
    let cluster = Cluster::new().await;
    let (maps, secrets) = (cluster.maps(Duration::ZERO), cluster.secrets(Duration::from_secs(30)));
    let (api, runs) = (cluster.secrets.clone(), Arc::new(AtomicUsize::new(0)));
    let late = options().with_own_writes_timeout(Duration::from_mins(2));
    let controller = Controller::with_options("creator", maps.clone(), late).reads(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let (api, run) = (api.clone(), runs.fetch_add(1, Ordering::Relaxed).to_string());
            async move {
                let document = json!({"metadata": {"name": key.name, "annotations": {"run": run}}});
                api.apply(document, "creator").await?;
                Ok(Action::done())
            }
        },
    );
    let informers = vec![maps.spawn(), secrets.spawn()];
    let running = Running::start(controller, informers).await;
    sleep(Duration::from_secs(40)).await;
    cluster.map("app", "first").await;
    sleep(SECOND).await;
    cluster.map("app", "second").await;
    sleep(SECOND).await;
    let why = running.why(&app());
    assert_now(
        &why,
        "staleWait",
        &["until the cache shows an own write", "Secret default/app", "No worker waits with it"],
    );
    sleep(Duration::from_mins(1)).await;
    let why = running.why(&app());
    let waited = why.runs.iter().find(|run| run.text.contains("It had waited"));
    assert!(waited.is_some_and(|run| run.text.contains("for the cache to show own writes")), "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_23_a_run_is_stuck_because_the_server_does_not_respond() {
    let cluster = Cluster::new().await;
    let maps = cluster.maps(Duration::ZERO);
    let frozen = Fault::new(Effect::Freeze).method("GET").path_contains("/secrets/");
    let frozen = cluster.server.controls().inject(frozen);
    let api = cluster.secrets.clone();
    let controller = Controller::with_options("reader", maps.clone(), options()).reconcile(
        move |key: ObjectKey, _: Context| {
            let api = api.clone();
            async move {
                drop(api.get(&key.name).await);
                Ok(Action::done())
            }
        },
    );
    let informers = vec![maps.spawn()];
    let running = Running::start(controller, informers).await;
    sleep(Duration::from_secs(20)).await;
    let why = running.why(&app());
    assert_now(&why, "running", &["It waits for the response to GET secrets default/app since"]);
    assert_eq!(frozen.happened(), 1);
    running.task.abort();
}

#[tokio::test(start_paused = true)]
async fn puzzle_24_another_controller_of_the_process_writes_the_object() {
    let cluster = Cluster::new().await;
    let maps = cluster.maps(Duration::ZERO);
    let recorder = Recorder::with_limit(1 << 20);
    let shared = || ControllerOptions::default().with_recorder(recorder.clone());
    let api = cluster.maps.clone();
    let writer = Controller::with_options("writer", maps.clone(), shared()).reconcile(
        move |_: ObjectKey, _: Context| {
            let api = api.clone();
            async move {
                sleep(Duration::from_millis(500)).await;
                let document = json!({"metadata": {"name": "app", "labels": {"team": "shop"}}});
                api.apply(document, "writer").await?;
                Ok(Action::done())
            }
        },
    );
    let reader = Controller::with_options("reader", maps.clone(), shared())
        .when(resource_version_changed())
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    let informers = vec![maps.spawn()];
    let writing = Running::start(writer, Vec::new()).await;
    let reading = Running::start(reader, informers).await;
    sleep(Duration::from_secs(3)).await;
    let why = reading.why(&app());
    assert_cause(
        &why,
        "event",
        &["changed: labels", "written by the run of default/app of the controller writer"],
    );
    let by = why.runs[0].causes.iter().find_map(|cause| cause.written_by.as_ref()).unwrap();
    assert_eq!((by.controller.as_str(), by.key.as_str(), by.verb), ("writer", "default/app", "PATCH"));
    writing.stop().await;
    reading.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_25_a_chain_from_a_secret_over_another_key() {
    let cluster = Cluster::new().await;
    let (maps, secrets) = (cluster.maps(Duration::ZERO), cluster.secrets(Duration::ZERO));
    let api = cluster.maps.clone();
    // Each secret leads to the config map "app", whose run writes the config map "derived".
    let controller = Controller::with_options("chain", maps.clone(), options())
        .when(resource_version_changed())
        .watches(&secrets, |_: &Arc<Secret>| [app()])
        .reconcile(move |key: ObjectKey, _: Context| {
            let (api, now) = (api.clone(), tokio::time::Instant::now());
            async move {
                sleep(Duration::from_millis(100)).await;
                if key == app() {
                    let label = format!("{now:?}").len().to_string();
                    let document = json!({"metadata": {"name": "derived", "labels": {"from": label}}});
                    api.apply(document, "chain").await?;
                }
                Ok(Action::done())
            }
        });
    let informers = vec![maps.spawn(), secrets.spawn()];
    let running = Running::start(controller, informers).await;
    sleep(Duration::from_secs(5)).await;
    cluster.maps.delete("derived").await.unwrap();
    sleep(Duration::from_secs(5)).await;
    cluster.secrets.apply(json!({"metadata": {"name": "password"}}), "user").await.unwrap();
    sleep(Duration::from_secs(5)).await;
    let why = running.why(&ObjectKey::new("default", "derived"));
    assert_cause(&why, "event", &["default/derived was added", "written by the run of default/app"]);
    let origin = &why.runs[0].causes[0].origin;
    assert!(origin[0].contains("Secret default/password was added"), "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_26_the_server_refuses_each_write() {
    let cluster = Cluster::new().await;
    let maps = cluster.maps(Duration::ZERO);
    let denied =
        Fault::new(Effect::status(403, "Forbidden", "quota")).method("PATCH").path_contains("/secrets");
    let denied = cluster.server.controls().inject(denied);
    let api = cluster.secrets.clone();
    let controller = Controller::with_options("denied", maps.clone(), options()).reconcile(
        move |key: ObjectKey, _: Context| {
            let api = api.clone();
            async move {
                api.apply(json!({"metadata": {"name": key.name}}), "denied").await?;
                Ok(Action::done())
            }
        },
    );
    let informers = vec![maps.spawn()];
    let running = Running::start(controller, informers).await;
    sleep(Duration::from_secs(30)).await;
    let why = running.why(&app());
    assert_now(&why, "backoff", &["the last error was", "quota"]);
    assert_cause(&why, "retry", &["it failed (status 403)"]);
    assert_eq!((why.runs[0].code, why.runs[0].requests[0].status), (Some(403), Some(403)));
    assert!(denied.happened() > 3);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_27_it_writes_nothing_because_nothing_would_change() {
    let cluster = Cluster::new().await;
    let (maps, secrets) = (cluster.maps(Duration::ZERO), cluster.secrets(Duration::ZERO));
    let api = cluster.secrets.clone();
    let controller = Controller::with_options("idle", maps.clone(), options()).reads(&secrets).reconcile(
        move |key: ObjectKey, _: Context| {
            let api = api.clone();
            async move {
                api.apply(json!({"metadata": {"name": key.name}}), "idle").await?;
                Ok(Action::done())
            }
        },
    );
    let informers = vec![maps.spawn(), secrets.spawn()];
    let running = Running::start(controller, informers).await;
    sleep(Duration::from_secs(3)).await;
    cluster.map("app", "again").await;
    sleep(Duration::from_secs(3)).await;
    let why = running.why(&app());
    let requests: Vec<_> = why.runs[0].requests.iter().map(|request| request.verb).collect();
    assert_eq!(requests, ["write not sent"], "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_28_the_watch_fails_and_the_cache_is_old() {
    let cluster = Cluster::new().await;
    let maps = cluster.maps(Duration::ZERO);
    let controller = Controller::with_options("late", maps.clone(), options())
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    let down = |method: &str| Fault::new(Effect::status(500, "InternalError", "down")).method(method);
    let informers = vec![maps.spawn()];
    let running = Running::start(controller, informers).await;
    let _down = cluster.server.controls().inject(down("GET").path_contains("/configmaps"));
    cluster.server.controls().drop_watches();
    sleep(Duration::from_secs(30)).await;
    let why = running.why(&app());
    assert_note(&why, &["ConfigMap", "lists or watches failed", "the last at"]);
    running.stop().await;
}
