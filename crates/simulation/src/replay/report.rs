//! The result of a replay.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The result of a [`Replay`](crate::Replay).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReplayReport {
    /// The number of runs in the recording that were replayed.
    pub runs: u64,
    /// Those with the same requests, and writes of the same bytes.
    pub equal: u64,
    /// The number of writes that were compared.
    pub writes: u64,
    /// Runs that the program interrupted when it was recorded, such as at its end. They are not compared.
    pub interrupted: u64,
    /// The differences, in the order of the recording.
    pub differences: Vec<Difference>,
    /// Whether it stopped before the end, because of the number of differences.
    pub is_stopped: bool,
    /// Why the recording ends before the program did, if it says so: lines are missing, or it was too large. Runs that had not ended there are
    /// not compared.
    #[serde(default)]
    pub ends_early: Option<String>,
    /// Requests outside of runs that the recording does not have, such as a list of a kind that it did not watch
    /// then.
    pub unknown: Vec<String>,
}

/// A run that is not as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Difference {
    /// The number of the run in the recording.
    pub run: u64,
    /// When it began, in microseconds since the recording did.
    pub at: u64,
    /// The name of the controller.
    pub controller: String,
    /// The key.
    pub key: String,
    /// The request: its method and path.
    pub request: String,
    /// In what it differs: the fields of the body with the recorded value and the value now, or that the request is missing or new.
    pub lines: Vec<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = Duration::from_micros(self.at).as_secs_f64();
        write!(
            f,
            "run {} of {} for {} at {seconds:.6} s: {}",
            self.run, self.controller, self.key, self.request
        )?;
        for line in &self.lines {
            write!(f, "\n    {line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} runs as recorded, with {} writes", self.equal, self.runs, self.writes)?;
        if self.interrupted > 0 {
            write!(f, "; {} were interrupted in the recording", self.interrupted)?;
        }
        for difference in &self.differences {
            write!(f, "\n{difference}")?;
        }
        if self.is_stopped {
            write!(f, "\nIt stopped there; `differences` sets the number.")?;
        }
        if let Some(why) = &self.ends_early {
            write!(f, "\nThe recording ends early: {why}.")?;
        }
        for request in &self.unknown {
            write!(f, "\nNot in the recording, outside of runs: {request}")?;
        }
        Ok(())
    }
}
