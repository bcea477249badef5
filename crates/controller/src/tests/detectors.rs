//! Detectors of a controller that runs. Paused time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use client_rs_api::core::v1::ConfigMap;
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::SharedInformer;
use client_rs_client::Api;
use client_rs_informers::RestListWatch;
use client_rs_machinery::{ObjectKey, json};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::source::{Source, thing};
use crate::{
    Action, Context, Controller, ControllerOptions, ControllerState, Prometheus, ReconcileError, Recorder,
    RunnableController,
};

fn options(metrics: &Prometheus) -> ControllerOptions {
    ControllerOptions::default().with_recorder(Recorder::with_limit(1 << 20)).with_prometheus(metrics, "c")
}

/// Runs a controller for a while, and returns its state before it stops.
async fn run_for(controller: &RunnableController, time: Duration) -> ControllerState {
    let stop = CancellationToken::new();
    let (ended, state) = tokio::join!(controller.run(stop.clone()), async {
        sleep(time).await;
        let state = controller.state();
        stop.cancel();
        state
    });
    ended.unwrap();
    state
}

fn found<'a>(state: &'a ControllerState, kind: &str) -> &'a crate::Finding {
    let found = state.findings.iter().find(|finding| finding.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind}: {:#?}", state.findings))
}

#[tokio::test(start_paused = true)]
async fn a_loop_of_own_writes_is_found_with_its_key_and_counted_once() {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    let api = Api::<ConfigMap>::namespaced(&rest, "default");
    api.apply(json!({"metadata": {"name": "app"}}), "user").await.unwrap();
    let maps = SharedInformer::new(RestListWatch::<ConfigMap>::new(rest).namespace("default"));
    let (metrics, runs) = (Prometheus::new(), AtomicUsize::new(0));
    let controller = Controller::with_options("c", maps.clone(), options(&metrics)).reconcile(
        move |key: ObjectKey, _: Context| {
            let (api, run) = (api.clone(), runs.fetch_add(1, Ordering::Relaxed).to_string());
            async move {
                sleep(Duration::from_millis(500)).await;
                let document = json!({"metadata": {"name": key.name, "annotations": {"run": run}}});
                api.apply(document, "c").await?;
                Ok(Action::done())
            }
        },
    );
    let _running = maps.spawn();
    let state = run_for(&controller, Duration::from_mins(1)).await;
    let finding = found(&state, "ownWriteLoop");
    assert_eq!(finding.subject, "default/app");
    assert!(finding.text.contains("because of its own writes"), "{finding:?}");
    let line = r#"controller_findings_total{controller="c",kind="ownWriteLoop"} 1"#;
    assert!(metrics.render().lines().any(|text| text == line), "{}", metrics.render());
}

#[tokio::test(start_paused = true)]
async fn keys_that_fail_forever_or_end_with_terminal_errors_again_and_again_are_found() {
    let source = Source::new();
    source.put(thing("broken"));
    source.put(thing("invalid"));
    source.put(thing("fine"));
    let informer = source.informer();
    let metrics = Prometheus::new();
    let controller = Controller::with_options("c", informer.clone(), options(&metrics)).reconcile(
        |key: ObjectKey, _: Context| async move {
            match key.name.as_str() {
                "broken" => Err(ReconcileError::message("no bucket")),
                "invalid" => Err(ReconcileError::terminal("no size")),
                _ => Ok(Action::requeue_after(Duration::from_secs(10))),
            }
        },
    );
    let _running = informer.spawn();
    // Somebody enqueues the invalid key every minute.
    let (queue, times) = (controller.queue().clone(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&times);
    let somebody = tokio::spawn(async move {
        loop {
            sleep(Duration::from_mins(1)).await;
            counted.fetch_add(1, Ordering::Relaxed);
            queue.add(ObjectKey::new("n", "invalid"));
        }
    });
    let state = run_for(&controller, Duration::from_mins(12)).await;
    somebody.abort();
    assert_eq!(found(&state, "failsForever").subject, "n/broken");
    assert_eq!(found(&state, "terminalRetried").subject, "n/invalid");
    assert!(times.load(Ordering::Relaxed) > 5);
    assert!(state.findings.iter().all(|finding| finding.subject != "n/fine"), "{:#?}", state.findings);
}

#[tokio::test(start_paused = true)]
async fn an_idle_controller_sleeps_until_its_watch_may_be_silent() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let metrics = Prometheus::new();
    let controller = Controller::with_options("c", informer.clone(), options(&metrics))
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    let _running = informer.spawn();
    let state = run_for(&controller, Duration::from_mins(9)).await;
    assert_eq!((state.counts.success, state.findings.len()), (1, 0), "{:#?}", state.findings);
    // At the start, after the first event, and once more in case that something was still in progress.
    assert!(controller.looks() <= 4, "{} looks", controller.looks());
    let state = run_for(&controller, Duration::from_mins(2)).await;
    assert_eq!(found(&state, "informerSilent").subject, "PartialObjectMetadata");
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_grows_and_a_hot_key_are_found_and_counted() {
    let source = Source::new();
    source.put(thing("hot"));
    let informer = source.informer();
    let metrics = Prometheus::new();
    let controller = Controller::with_options("c", informer.clone(), options(&metrics).with_workers(2))
        .reconcile(|key: ObjectKey, _: Context| async move {
            if key.name != "hot" {
                // A worker that never returns: the next key waits forever.
                std::future::pending::<()>().await;
            }
            Ok(Action::requeue_after(Duration::from_millis(100)))
        });
    let _running = informer.spawn();
    let queue = controller.queue().clone();
    let somebody = tokio::spawn(async move {
        // The hot key comes first, and again: the other worker is its own.
        sleep(Duration::from_mins(1)).await;
        for number in 0_u64.. {
            queue.add(ObjectKey::new("n", format!("k{number}")));
            sleep(Duration::from_millis(200)).await;
        }
    });
    let state = run_for(&controller, Duration::from_mins(4)).await;
    somebody.abort();
    assert_eq!(found(&state, "hotKey").subject, "n/hot");
    assert_eq!(found(&state, "queueGrows").subject, "queue");
    for kind in ["hotKey", "queueGrows"] {
        let line = format!(r#"controller_findings_total{{controller="c",kind="{kind}"}} 1"#);
        assert!(metrics.render().lines().any(|text| text == line), "{}", metrics.render());
    }
}
