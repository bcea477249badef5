//! Keys that wait, and runs that fail or never end.

use std::future::pending;
use std::time::Duration;

use client_rs_machinery::ObjectKey;
use tokio::time::sleep;

use super::*;
use crate::{Action, Context, Controller, ReconcileError, generation_changed};

#[tokio::test(start_paused = true)]
async fn puzzle_10_it_fails_and_is_in_backoff() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let controller = Controller::with_options("c", informer.clone(), options()).reconcile(
        |_: ObjectKey, _: Context| async {
            Err::<Action, _>(ReconcileError::message("the bucket is missing"))
        },
    );
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_mins(1)).await;
    let why = running.why(&key("a"));
    assert_now(
        &why,
        "backoff",
        &["it is in backoff after", "the last error was: the bucket is missing", "its next run is due at"],
    );
    assert!(why.now.until.unwrap() > why.at, "{why}");
    assert_cause(&why, "retry", &["it is retried: of the run at", "it failed"]);
    assert_note(&why, &["its last 14 runs failed with the same error"]);
    assert_eq!((why.runs[0].result, why.runs[0].same_error), ("error", true));
    // The first run of all came from an event.
    assert!(why.runs[0].failures >= 9, "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_11_it_waits_behind_others_for_the_only_worker() {
    let source = Source::new();
    for name in ["a", "b", "c", "d"] {
        source.put(thing(name));
    }
    let informer = source.informer();
    let controller = Controller::with_options("c", informer.clone(), options())
        .reconcile(|_: ObjectKey, _: Context| pending::<crate::Result>());
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_hours(21)).await;
    let busy = running.controller.state().in_flight[0].key.clone();
    let waits: Vec<Why> = ["a", "b", "c", "d"].into_iter().map(|name| running.why(&key(name))).collect();
    let stuck = waits.iter().find(|why| why.key == busy).unwrap();
    assert_now(stuck, "running", &["it is running since", "21h0m1s", "It has sent no request."]);
    let mut places: Vec<&str> = Vec::new();
    for why in waits.iter().filter(|why| why.key != busy) {
        assert_now(why, "queued", &["The only worker is busy", &format!("that of {busy}, since")]);
        places.push(why.now.text.split('.').next().unwrap());
    }
    places.sort_unstable();
    let behind = ["0 keys", "1 key", "2 keys"].map(|keys| format!("it is in the queue behind {keys}"));
    assert_eq!(places, behind);
    running.controller.queue().add(busy.parse().unwrap());
    assert_now(
        &running.why(&busy.parse().unwrap()),
        "running",
        &["enqueued again and runs once more afterwards"],
    );
    running.stop.cancel();
    running.task.abort();
}

#[tokio::test(start_paused = true)]
async fn puzzle_12_a_terminal_error_is_not_retried() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let controller = Controller::with_options("c", informer.clone(), options())
        .when(generation_changed())
        .reconcile(|_: ObjectKey, _: Context| async {
            Err::<Action, _>(ReconcileError::terminal("spec.size is negative"))
        });
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_hours(1)).await;
    let why = running.why(&key("a"));
    assert_now(
        &why,
        "idle",
        &[
            "it failed with a terminal error",
            "not retried before something changes",
            "The error was: spec.size is negative",
        ],
    );
    assert_eq!((why.runs.len(), why.runs[0].result), (1, "terminalError"));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_13_it_polls_because_the_run_asks_for_it() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let controller = Controller::with_options("c", informer.clone(), options())
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::requeue_after(Duration::from_mins(5))) });
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_mins(12)).await;
    let why = running.why(&key("a"));
    assert_now(&why, "delayed", &["it has a delay (its last run asked for it", "its next run is due at"]);
    assert_eq!(why.runs.len(), 3, "{why}");
    assert_cause(&why, "requeue", &["it asked for another run after 300s (Action::requeue_after)"]);
    // An event that comes first is the cause, not the delay.
    source.put(thing("a"));
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_cause(&why, "event", &["was updated to version 2"]);
    assert_eq!(why.runs[0].causes.len(), 1, "{why}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_14_the_settle_window_holds_it_back() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let window = options().with_settle_window(Duration::from_secs(30));
    let controller = Controller::with_options("c", informer.clone(), window)
        .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    let running = Running::start(controller, spawned(&[&informer])).await;
    source.put(thing("a"));
    sleep(SECOND).await;
    let why = running.why(&key("a"));
    assert_now(&why, "delayed", &["within the settle window after its last run", "its next run is due at"]);
    sleep(Duration::from_mins(1)).await;
    let why = running.why(&key("a"));
    assert_eq!(why.runs.len(), 2);
    assert_cause(&why, "event", &["was updated to version 2"]);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn puzzle_15_a_run_takes_too_long_and_is_dropped_each_time() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let limited = options().with_reconcile_timeout(Duration::from_secs(2));
    let controller = Controller::with_options("c", informer.clone(), limited)
        .reconcile(|_: ObjectKey, _: Context| pending::<crate::Result>());
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_secs(10)).await;
    let why = running.why(&key("a"));
    assert!(why.runs.iter().all(|run| run.result == "timeout" && (2.0..2.1).contains(&run.seconds)), "{why}");
    assert_cause(&why, "retry", &["it took too long and was dropped"]);
    running.task.abort();
}

#[tokio::test(start_paused = true)]
async fn puzzle_16_a_panic_is_retried() {
    let source = Source::new();
    source.put(thing("a"));
    let informer = source.informer();
    let controller = Controller::with_options("c", informer.clone(), options())
        .reconcile(|_: ObjectKey, _: Context| async { panic!("index out of bounds") });
    let running = Running::start(controller, spawned(&[&informer])).await;
    sleep(Duration::from_secs(20)).await;
    let why = running.why(&key("a"));
    assert_now(&why, "backoff", &["the last error was: panicked: index out of bounds"]);
    assert_cause(&why, "retry", &["it panicked"]);
    running.stop().await;
}
