//! The state of controllers as JSON.

use serde::Serialize;

use crate::{Finding, ReconcileOutcome};

/// A snapshot of a controller: queue, runs in progress, counts, last error. `/debug/state` of a manager shows it as JSON.
///
/// [`RunnableController::state`](crate::RunnableController::state) returns it, for a health check or a test. For graphs over
/// time use [`Prometheus`](crate::Prometheus).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ControllerState {
    /// The name of the controller.
    pub name: String,
    /// `waiting` (not started, or another replica leads), `syncing`, `running`, `stopping` or `stopped`.
    pub phase: &'static str,
    /// How many workers it has.
    pub workers: usize,
    /// Keys that wait for a worker.
    pub ready: usize,
    /// Keys whose delay has not passed yet.
    pub delayed: usize,
    /// The runs in progress, the oldest first.
    pub in_flight: Vec<InFlight>,
    /// Waits for caches that did not show the process's own writes.
    pub stale_waits: StaleWaits,
    /// How many writes of runs were not sent because they would have changed nothing.
    pub suppressed_writes: u64,
    /// The number of runs by outcome.
    pub counts: Counts,
    /// The sum of the durations of these runs, in seconds.
    pub run_seconds: f64,
    /// The keys with the most runs within the last minute, at most five. Empty without a recorder.
    pub busiest: Vec<BusyKey>,
    /// The shards that this replica holds, if the controller is [sharded](crate::Controller::sharded).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shards: Option<Vec<u32>>,
    /// Patterns that are almost always a mistake, the newest first: loops, hot keys, keys that fail forever.
    pub findings: Vec<Finding>,
    /// The last error: the key and the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_error: Option<(String, String)>,
}

/// A run in progress.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InFlight {
    /// The key.
    pub key: String,
    /// How long the run has taken so far, in seconds.
    pub seconds: f64,
}

/// A key that runs often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BusyKey {
    /// The key.
    pub key: String,
    /// Its runs within the last minute.
    pub runs: u32,
}

/// Waits of keys until the caches show the process's own writes; see [`Controller`](crate::Controller#own-writes).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StaleWaits {
    /// The number of waits since the controller was built.
    pub total: u64,
    /// How many of them ended because of the time limit, so that a run started with a stale cache.
    pub timeouts: u64,
    /// The waits in progress, the oldest first.
    pub waiting: Vec<StaleWait>,
}

/// A key that waits for a cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StaleWait {
    /// The key.
    pub key: String,
    /// The informer, and the written object that it does not show yet.
    pub object: String,
    /// How long the key has waited so far, in seconds.
    pub seconds: f64,
}

/// The number of runs by outcome, since the controller was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Counts {
    /// Runs that returned [`Action::done`](crate::Action::done).
    pub success: u64,
    /// Runs that asked for another run.
    pub requeue: u64,
    /// Runs that failed and are retried.
    pub errors: u64,
    /// Runs that failed and are not retried.
    pub terminal_errors: u64,
    /// Runs that panicked.
    pub panics: u64,
    /// Runs that exceeded [`reconcile_timeout`](crate::ControllerOptions::reconcile_timeout).
    pub timeouts: u64,
    /// Runs that were interrupted: by a shutdown, or by a lost leadership or shard.
    pub cancelled: u64,
}

impl Counts {
    /// Counts a run.
    pub(crate) fn count(&mut self, outcome: ReconcileOutcome) {
        *match outcome {
            ReconcileOutcome::Success => &mut self.success,
            ReconcileOutcome::Requeue | ReconcileOutcome::RequeueAfter => &mut self.requeue,
            ReconcileOutcome::Error => &mut self.errors,
            ReconcileOutcome::TerminalError => &mut self.terminal_errors,
            ReconcileOutcome::Panic => &mut self.panics,
            ReconcileOutcome::Timeout => &mut self.timeouts,
            ReconcileOutcome::Cancelled => &mut self.cancelled,
        } += 1;
    }

    /// The number of runs that have ended, with any outcome.
    pub fn total(&self) -> u64 {
        let failed = self.errors + self.terminal_errors + self.panics + self.timeouts;
        self.success + self.requeue + failed + self.cancelled
    }
}
