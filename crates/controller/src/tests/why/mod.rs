//! Puzzles: controllers that misbehave, each in another way, and the answers of `why`. Paused time.

mod cluster;
mod decisions;
mod queue;
mod replicas;

use std::sync::Arc;
use std::time::Duration;

use client_rs_cache::{RunningInformer, SharedInformer};
use client_rs_machinery::ObjectKey;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::source::{Source, Thing, key, thing};
use crate::{ControllerError, ControllerOptions, Recorder, RunnableController, Why};

const SECOND: Duration = Duration::from_secs(1);

/// Options with a recorder of their own.
fn options() -> ControllerOptions {
    ControllerOptions::default().with_recorder(Recorder::with_limit(1 << 20))
}

/// A controller that runs, with its informers.
struct Running {
    controller: Arc<RunnableController>,
    stop: CancellationToken,
    task: JoinHandle<Result<(), ControllerError>>,
    _informers: Vec<RunningInformer>,
}

impl Running {
    /// Starts a controller and its informers, and lets a second pass.
    async fn start(controller: RunnableController, informers: Vec<RunningInformer>) -> Self {
        let (controller, stop) = (Arc::new(controller), CancellationToken::new());
        let (own, stopping) = (Arc::clone(&controller), stop.clone());
        let task = tokio::spawn(async move { own.run(stopping).await });
        sleep(SECOND).await;
        Self { controller, stop, task, _informers: informers }
    }

    fn why(&self, key: &ObjectKey) -> Why {
        self.controller.why(key)
    }

    async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
    }
}

fn spawned(informers: &[&SharedInformer<Thing>]) -> Vec<RunningInformer> {
    informers.iter().map(|informer| informer.spawn()).collect()
}

/// Checks the state, and that the text has some words.
#[track_caller]
fn assert_now(why: &Why, state: &str, words: &[&str]) {
    assert_eq!(why.now.state, state, "{why}");
    for word in words {
        assert!(why.now.text.contains(word), "no {word:?} in:\n{why}");
    }
    // Both forms say the same.
    let json = serde_json::to_value(why).unwrap();
    assert_eq!(json["now"]["state"], state);
    assert!(why.to_string().contains(&why.now.text));
}

/// Checks that the newest run has a cause of this kind with these words.
#[track_caller]
fn assert_cause(why: &Why, kind: &str, words: &[&str]) {
    let run = why.runs.first().unwrap_or_else(|| panic!("no run:\n{why}"));
    let mut causes = run.causes.iter().filter(|cause| cause.kind == kind);
    let found = causes.any(|cause| words.iter().all(|word| cause.text.contains(word)));
    assert!(found, "no cause of kind {kind} with {words:?}:\n{why}");
}

#[track_caller]
fn assert_note(why: &Why, words: &[&str]) {
    let found = why.notes.iter().any(|note| words.iter().all(|word| note.contains(word)));
    assert!(found, "no note with {words:?} in:\n{why}");
}
