//! [`Why`]: the answer to "why did it reconcile?" and "why did it not?".
//!
//! `live` reads the state of this moment, `history` reads the recorder, `explain` joins both. The last two are pure.

mod explain;
mod history;
mod live;
mod words;

use std::fmt;

use client_rs_machinery::{MicroTime, collections::VecMap};
use serde::Serialize;

/// The explanation of one key of a controller: why it ran, or why it did not.
///
/// [`RunnableController::why`](crate::RunnableController::why) and [`ManagerHandle::why`](crate::ManagerHandle::why) return it, and
/// `/debug/why` of a manager serves it. It serializes to JSON; as text it is a few sentences.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Why {
    /// The name of the controller.
    pub controller: String,
    /// The key.
    pub key: String,
    /// The time of the answer.
    pub at: MicroTime,
    /// The state of the key at that time.
    pub now: WhyNow,
    /// The last runs, the newest first, at most ten.
    pub runs: Vec<WhyRun>,
    /// Events since the last run that did not enqueue the key, the newest first, at most ten.
    pub ignored: Vec<WhyEvent>,
    /// The time that the history covers.
    pub memory: WhyMemory,
    /// Other facts that may matter: informers that relisted or failed, leadership, shards.
    pub notes: Vec<String>,
}

/// The state of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyNow {
    /// `notStarted`, `notLeading`, `notSynced`, `stopping`, `stopped`, `running`, `otherShard`, `staleWait`, `queued`, `backoff`,
    /// `delayed` or `idle`.
    pub state: &'static str,
    /// The same in sentences, with the reason.
    pub text: String,
    /// Since when, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<MicroTime>,
    /// Until when, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<MicroTime>,
}

/// A run that has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyRun {
    /// When it began.
    pub began: MicroTime,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// How long the key was in the queue, in seconds, if the queue has metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_wait: Option<f64>,
    /// `success`, `requeue`, `requeueAfter`, `error`, `terminalError`, `panic`, `timeout` or `cancelled`.
    pub result: &'static str,
    /// The failures before it, since the last success.
    pub failures: u32,
    /// The status code in its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<u16>,
    /// Whether it failed with the same error as the run before it.
    pub same_error: bool,
    /// The newest version that its handler had seen of each informer, when the run began.
    pub versions: VecMap<String, u64>,
    /// Its requests, at most 64.
    pub requests: Vec<WhyRequest>,
    /// The number of its other requests.
    pub more_requests: u64,
    /// The informers whose caches it read before their first list, at most eight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsynced: Vec<String>,
    /// Why it ran.
    pub causes: Vec<WhyCause>,
    /// The same in sentences.
    pub text: String,
}

/// A request of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyRequest {
    /// `GET`, `PATCH`, …, or `write not sent` for a write that would have changed nothing.
    pub verb: &'static str,
    /// The resource, and the subresource after a slash.
    pub resource: String,
    /// The namespace and name of the object.
    pub object: String,
    /// The status of the response; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The time from the start of the run, in seconds.
    pub after: f64,
    /// Its duration, in seconds.
    pub seconds: f64,
}

/// Why a run began.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyCause {
    /// `event`, `retry`, `requeue`, `dropped`, `term`, `shard`, `mappingPanicked`, `settled`, `program` (the program added the key to
    /// the queue) or `unknown` (older than the memory).
    pub kind: &'static str,
    /// The same in a sentence.
    pub text: String,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<MicroTime>,
    /// The object that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// Its version after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The parts that changed: `spec`, `labels`, `annotations`, `finalizers`, `ownerReferences`, `deletion`, `uid`, or `other`: the
    /// status, or the content of an object without a generation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<&'static str>,
    /// The run of this process that had made the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_by: Option<WhyWriter>,
    /// The causes of that run, step by step, back to a change that no run of this process had made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub origin: Vec<String>,
}

/// A run that wrote an object.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyWriter {
    /// The controller.
    pub controller: String,
    /// The key of the run.
    pub key: String,
    /// When the run began.
    pub began: MicroTime,
    /// `PATCH`, `PUT`, ….
    pub verb: &'static str,
    /// The resource, and the subresource after a slash.
    pub resource: String,
}

/// An event that did not enqueue the key.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyEvent {
    /// When.
    pub at: MicroTime,
    /// The informer.
    pub informer: String,
    /// The object.
    pub object: String,
    /// Its version after the event.
    pub version: u64,
    /// The predicate that refused it.
    pub refused_by: String,
    /// The same in a sentence.
    pub text: String,
}

/// The time that the history covers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WhyMemory {
    /// Everything since this time is remembered.
    pub since: MicroTime,
    /// Whether that is everything since the controller was built.
    pub complete: bool,
    /// The number of records that were lost, because too many were written at the same moment.
    pub lost: u64,
    /// The same in a sentence.
    pub text: String,
}

impl Why {
    /// How many of the last runs in a row were caused by a write of a run of the same key.
    pub(crate) fn own_write_runs(&self) -> usize {
        let is_own = |by: &WhyWriter| by.controller == self.controller && by.key == self.key;
        let by_own = |cause: &WhyCause| cause.written_by.as_ref().is_some_and(is_own);
        self.runs.iter().take_while(|run| run.causes.iter().any(by_own)).count()
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}: {}", self.controller, self.key, self.now.text)?;
        for event in &self.ignored {
            writeln!(f, "- {}", event.text)?;
        }
        for run in &self.runs {
            writeln!(f, "{}", run.text)?;
            for cause in &run.causes {
                writeln!(f, "  because {}", cause.text)?;
                for step in &cause.origin {
                    writeln!(f, "    {step}")?;
                }
            }
        }
        for note in &self.notes {
            writeln!(f, "Note: {note}")?;
        }
        writeln!(f, "{}", self.memory.text)
    }
}
