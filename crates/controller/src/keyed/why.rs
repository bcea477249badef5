//! Why a key of a [`KeyedController`] runs, or does not.

use std::collections::VecDeque;
use std::fmt;

use serde::Serialize;
use tokio::time::Instant;

use super::{KeyedController, ReconcileKey, lock};
use crate::{ReconcileOutcome, StaleWait};

/// The number of ended runs that are remembered.
const MOST_RUNS: usize = 1024;
/// The most bytes of the text of an error.
const MOST_ERROR_BYTES: usize = 1024;

/// The state of one key of a [`KeyedController`]; see [`KeyedController::why`]. As a text it has one sentence per fact.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct KeyedWhy {
    /// The key.
    pub key: String,
    /// The phase of the controller: `waiting`, `syncing`, `running`, `stopping` or `stopped`.
    pub phase: &'static str,
    /// How long the run in progress has taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_seconds: Option<f64>,
    /// The number of keys before it in the queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<usize>,
    /// In how many seconds it is queued, if it waits for a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_seconds: Option<f64>,
    /// The own write that a cache does not show yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<StaleWait>,
    /// The shard of the key, if the controller is sharded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<u32>,
    /// Whether this replica holds the shard; true without shards.
    pub is_own: bool,
    /// The failures since the last success.
    pub failures: u32,
    /// The last run, if it is one of the last 1,024 of the controller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<KeyedRun>,
}

/// A run of a [`KeyedController`] that has ended.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct KeyedRun {
    /// How long ago it ended.
    pub seconds_ago: f64,
    /// How long it took.
    pub seconds: f64,
    /// The outcome, as in the label `result` of the metrics.
    pub outcome: &'static str,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The last runs, the newest last.
pub(super) struct LastRuns<Q>(VecDeque<Ended<Q>>);

struct Ended<Q> {
    key: Q,
    began: Instant,
    at: Instant,
    outcome: ReconcileOutcome,
    error: Option<String>,
}

impl<Q: ReconcileKey> LastRuns<Q> {
    pub(super) fn new() -> Self {
        Self(VecDeque::new())
    }

    pub(super) fn add(&mut self, key: &Q, began: Instant, outcome: ReconcileOutcome, error: Option<&str>) {
        if self.0.len() == MOST_RUNS {
            self.0.pop_front();
        }
        let error = error.map(|text| text[..text.floor_char_boundary(MOST_ERROR_BYTES)].to_owned());
        self.0.push_back(Ended { key: key.clone(), began, at: Instant::now(), outcome, error });
    }

    fn last(&self, key: &Q) -> Option<KeyedRun> {
        let ended = self.0.iter().rev().find(|ended| ended.key == *key)?;
        Some(KeyedRun {
            seconds_ago: ended.at.elapsed().as_secs_f64(),
            seconds: ended.at.saturating_duration_since(ended.began).as_secs_f64(),
            outcome: ended.outcome.label(),
            error: ended.error.clone(),
        })
    }
}

impl<Q: ReconcileKey> KeyedController<Q> {
    /// Why a key runs, or does not: its place in the queue, what it waits for, and how its last run ended. `to_string` has it in sentences.
    ///
    /// It has the current state and the last run; a [`RunnableController`](crate::RunnableController::why) also has what led to each run.
    ///
    /// ```
    /// use client_rs_controller::{Action, Context, KeyedController};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let hosts = KeyedController::new("hosts", |_: String, _: Context| async { Ok(Action::done()) });
    /// hosts.queue().add("shop.example.com".to_owned());
    /// let why = hosts.why(&"shop.example.com".to_owned());
    /// assert_eq!(why.ahead, Some(0));
    /// assert!(why.to_string().contains("the controller is waiting to start"), "{why}");
    /// # }
    /// ```
    pub fn why(&self, key: &Q) -> KeyedWhy {
        let core = &self.0;
        let queued = core.queue.inspect(key);
        let shard = core.options.shards.as_ref().map(|shards| shards.standing(key));
        let runs = core.runs();
        KeyedWhy {
            key: key.to_string(),
            phase: *lock(&core.phase),
            running_seconds: runs.in_flight.get(key).map(|since| since.elapsed().as_secs_f64()),
            ahead: queued.and_then(|state| state.ahead),
            due_seconds: queued
                .and_then(|state| state.due)
                .map(|due| due.saturating_duration_since(Instant::now()).as_secs_f64()),
            waits_for: core.own_writes.waits_for(key),
            shard: shard.map(|(shard, _)| shard),
            is_own: shard.is_none_or(|(_, held)| held),
            failures: core.queue.num_requeues(key),
            last_run: runs.last.last(key),
        }
    }
}

impl fmt::Display for KeyedWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:", self.key)?;
        match self.phase {
            "running" => {}
            "waiting" => writeln!(f, "- the controller is waiting to start, or for leadership")?,
            "syncing" => writeln!(f, "- the controller waits for the first lists of its watches")?,
            phase => writeln!(f, "- the controller is {phase}")?,
        }
        if let (Some(shard), false) = (self.shard, self.is_own) {
            writeln!(f, "- its shard {shard} is held by another replica, or by none")?;
        }
        if let Some(seconds) = self.running_seconds {
            writeln!(f, "- a run has been in progress for {seconds:.1} s")?;
        }
        if let Some(wait) = &self.waits_for {
            writeln!(
                f,
                "- it waits until the cache shows its own write of {}, for {:.1} s so far",
                wait.object, wait.seconds
            )?;
        }
        if let Some(ahead) = self.ahead {
            writeln!(f, "- it is in the queue, behind {ahead} others")?;
        }
        if let Some(due) = self.due_seconds {
            writeln!(f, "- it is queued again in {due:.1} s, after {} failures", self.failures)?;
        }
        match &self.last_run {
            None => write!(f, "- none of the last runs was for it"),
            Some(run) => {
                write!(f, "- its last run ended {:.1} s ago with {}", run.seconds_ago, run.outcome)?;
                run.error.as_ref().map_or(Ok(()), |error| write!(f, ": {error}"))
            }
        }
    }
}
