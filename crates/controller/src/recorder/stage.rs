//! [`Stage`]: records that were made lately, and are not encoded yet.
//!
//! Between two events of a quiet controller, the processor forgets the code and the tables of the encoder and of the detectors. Most of
//! their cost is to fetch them again. So events and runs wait here as they were made, and many are encoded at a time: at the end of a run,
//! because an event has a run that waits for it.

use std::borrow::Cow;
use std::sync::Arc;

use client_rs_machinery::ObjectKey;

use super::record::{Event, EventKind, Name, Names, Run, Verdict};
use super::run_log::{Requests, Versions};
use super::segment::MOST_NAMES;
use crate::ReconcileOutcome;

/// So many events are encoded at the end of the next run.
const EVENTS: usize = 48;
/// There is space for so many events, mostly.
const SPACE: usize = 64;
/// So many events are encoded at once: no run has ended for a while.
const MOST_EVENTS: usize = 256;
/// So many runs are encoded at the end of the last one.
const RUNS: usize = 32;
/// If all writers are busy, this many times as many wait, then they are dropped.
const PATIENCE: usize = 2;

/// An [`Event`] that owns its names.
#[derive(Debug)]
pub(crate) struct StagedEvent {
    pub(crate) at: i64,
    pub(crate) controller: u32,
    pub(crate) source: u8,
    pub(crate) kind: EventKind,
    pub(crate) changed: u8,
    pub(crate) panicked: bool,
    pub(crate) version: u64,
    pub(crate) object: ObjectKey,
    pub(crate) verdict: StagedVerdict,
}

/// A [`Verdict`] that owns its names.
#[derive(Debug)]
pub(crate) enum StagedVerdict {
    Own,
    Refused { part: u8 },
    One(ObjectKey),
    Several { keys: Box<[ObjectKey]>, total: u64 },
}

impl StagedVerdict {
    /// These keys were enqueued.
    pub(crate) fn mapped(keys: &[ObjectKey]) -> Self {
        match keys {
            [only] => Self::One(only.clone()),
            _ => Self::Several { keys: keys[..keys.len().min(MOST_NAMES)].into(), total: keys.len() as u64 },
        }
    }
}

impl StagedEvent {
    pub(super) fn event(&self) -> Event<'_> {
        let verdict = match &self.verdict {
            StagedVerdict::Own => Verdict::Own,
            StagedVerdict::Refused { part } => Verdict::Refused { part: *part },
            StagedVerdict::One(key) => Verdict::Mapped { keys: Names::One(Name::of(key)), total: 1 },
            StagedVerdict::Several { keys, total } => {
                Verdict::Mapped { keys: Names::Several(keys.iter().map(Name::of).collect()), total: *total }
            }
        };
        Event {
            source: self.source,
            object: Name::of(&self.object),
            version: self.version,
            kind: self.kind,
            changed: self.changed,
            verdict,
            panicked: self.panicked,
        }
    }

    /// The memory that it has allocated for itself.
    fn memory(&self) -> usize {
        match &self.verdict {
            StagedVerdict::Several { keys, .. } => size_of_val(&**keys),
            _ => 0,
        }
    }
}

/// A run that has ended.
pub(crate) struct EndedRun {
    pub(crate) at: i64,
    pub(crate) controller: u32,
    pub(crate) key: ObjectKey,
    pub(crate) outcome: ReconcileOutcome,
    /// Microseconds.
    pub(crate) took: u64,
    /// Microseconds in the queue, if the queue measures it.
    pub(crate) waited: Option<u64>,
    pub(crate) failures: u32,
    /// The delay that the run asked for, in milliseconds.
    pub(crate) again: Option<u64>,
    /// The status code in the error, or zero.
    pub(crate) code: u16,
    /// A hash of the error's text; zero if there was none.
    pub(crate) error: u32,
    pub(crate) versions: Versions,
    pub(crate) requests: Requests,
    pub(crate) sink: Arc<dyn RunSink>,
}

/// Gets the runs of a controller when they are recorded. It must not own what has a life of its own, such as an informer: a run may wait
/// for long.
pub(crate) trait RunSink: Send + Sync {
    fn recorded(&self, run: EndedRun);
}

impl EndedRun {
    pub(super) fn run(&self) -> Run<'_> {
        Run {
            key: Name::of(&self.key),
            took: self.took,
            waited: self.waited,
            failures: self.failures,
            outcome: self.outcome,
            again: self.again,
            code: self.code,
            error: self.error,
            versions: Cow::Borrowed(self.versions.as_slice()),
            more: self.requests.more,
        }
    }

    /// The memory that it has allocated for itself.
    fn memory(&self) -> usize {
        self.requests.memory() + self.versions.memory()
    }
}

/// Records that wait.
#[derive(Default)]
pub(super) struct Stage {
    pub(super) events: Vec<StagedEvent>,
    pub(super) runs: Vec<EndedRun>,
    /// The memory of the records, without that of the lists themselves.
    memory: usize,
}

impl Stage {
    /// Adds an event. Returns whether it is time to encode.
    pub(super) fn add_event(&mut self, event: StagedEvent) -> bool {
        if self.events.capacity() == 0 {
            self.events.reserve_exact(SPACE);
        }
        self.memory += event.memory();
        self.events.push(event);
        self.events.len() >= MOST_EVENTS
    }

    /// Adds a run. Returns whether it is time to encode.
    pub(super) fn add_run(&mut self, run: EndedRun) -> bool {
        if self.runs.capacity() == 0 {
            self.runs.reserve_exact(RUNS);
        }
        self.memory += run.memory();
        self.runs.push(run);
        self.runs.len() >= RUNS || self.events.len() >= EVENTS
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.runs.is_empty()
    }

    /// Whether it has waited for a writer for too long.
    pub(super) fn is_over(&self) -> bool {
        self.events.len() >= PATIENCE * MOST_EVENTS || self.runs.len() >= PATIENCE * RUNS
    }

    /// The memory that it has allocated, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.events.capacity() * size_of::<StagedEvent>()
            + self.runs.capacity() * size_of::<EndedRun>()
            + self.memory
    }

    /// Returns to its usual size. All records were taken out.
    pub(super) fn emptied(&mut self) {
        self.memory = 0;
        // Not after each event too many.
        if self.events.capacity() > MOST_EVENTS / 2 {
            self.events.shrink_to(SPACE);
        }
        self.runs.shrink_to(RUNS);
    }
}
