//! The state of controllers as JSON.

use serde::Serialize;

/// The state of a controller.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ControllerState {
    /// What it is called.
    pub name: String,
    /// `waiting` (not started, or another replica leads), `syncing`, `running`, `stopping` or `stopped`.
    pub phase: &'static str,
    /// How many workers it has.
    pub workers: usize,
    /// Keys that wait for a worker.
    pub ready: usize,
    /// Keys that wait for their time.
    pub delayed: usize,
    /// The runs in progress, the oldest first.
    pub in_flight: Vec<InFlight>,
    /// How runs ended so far.
    pub counts: Counts,
    /// The last error: the key and what was said.
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
    /// For how long it has run, in seconds.
    pub seconds: f64,
}

/// How runs ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Counts {
    /// With nothing more to do.
    pub success: u64,
    /// With the wish for another run.
    pub requeue: u64,
    /// With an error that is tried again.
    pub errors: u64,
    /// With an error that is not.
    pub terminal_errors: u64,
    /// With a panic.
    pub panics: u64,
    /// Too late.
    pub timeouts: u64,
    /// By an interruption: a shutdown, or a loss of the leadership or the shard.
    pub cancelled: u64,
}

impl Counts {
    /// All of them.
    pub fn total(&self) -> u64 {
        let failed = self.errors + self.terminal_errors + self.panics + self.timeouts;
        self.success + self.requeue + failed + self.cancelled
    }
}
