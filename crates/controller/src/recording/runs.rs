//! The seam between controllers and recordings: a [`Tape`] is notified of runs, or asks for them.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use client_rs_machinery::{ObjectKey, Str, WriteLog};
use tokio::sync::{mpsc, oneshot};

use super::format::Versions;
use crate::ReconcileOutcome;
use crate::recorder::Source;

/// A recording, or its replay, as controllers see it.
pub trait Tape: Send + Sync {
    /// A run begins. Returns its number; `None` if it is not recorded. `direction` is the number of a run that the tape has asked
    /// for.
    fn began(&self, run: &RunStart<'_>, direction: Option<u64>) -> Option<u64>;

    /// A run has ended.
    fn ended(&self, run: u64, outcome: ReconcileOutcome);

    /// A run is about to read caches through its client. The read waits for the result, if there is one.
    fn before_read(&self, run: u64) -> Option<oneshot::Receiver<()>> {
        let _ = run;
        None
    }

    /// A run has read caches, without having waited. They had these versions.
    fn has_read(&self, run: u64, versions: Versions) {
        let _ = (run, versions);
    }

    /// The runs that a controller makes instead of those of its queue. Default: those of its queue.
    fn directions(&self, controller: &str) -> Option<mpsc::UnboundedReceiver<Direction>> {
        let _ = controller;
        None
    }
}

/// A run that begins.
#[derive(Debug)]
#[non_exhaustive]
pub struct RunStart<'a> {
    /// The name of the controller.
    pub controller: &'a str,
    /// The key.
    pub key: &'a ObjectKey,
    /// The failures before it.
    pub failures: u32,
    /// The versions of the caches.
    pub versions: Versions,
}

impl<'a> RunStart<'a> {
    pub(crate) fn new(controller: &'a str, key: &'a ObjectKey, failures: u32, versions: Versions) -> Self {
        Self { controller, key, failures, versions }
    }
}

/// A run to make.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "made by the replay")]
pub struct Direction {
    /// The number of the run.
    pub run: u64,
    /// The key.
    pub key: ObjectKey,
    /// The failures before it.
    pub failures: u32,
}

static TAPES: Mutex<Vec<(WriteLog, Weak<dyn Tape>)>> = Mutex::new(Vec::new());

tokio::task_local! {
    static RUN: Arc<CurrentRun>;
}

/// The run of the current task.
pub struct CurrentRun {
    /// Its number.
    pub number: u64,
    sources: Vec<Arc<Source>>,
    #[cfg_attr(
        not(feature = "cluster"),
        expect(dead_code, reason = "reads that wait are those of its clients")
    )]
    tape: Arc<dyn Tape>,
}

impl std::fmt::Debug for CurrentRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CurrentRun").field("number", &self.number).finish_non_exhaustive()
    }
}

impl CurrentRun {
    /// The run that polls the current future.
    pub fn get() -> Option<Arc<Self>> {
        RUN.try_with(Arc::clone).ok()
    }

    /// The versions that the caches of its controller have now.
    pub fn versions(&self) -> Versions {
        versions(&self.sources)
    }

    pub(crate) fn scope<F: Future>(
        number: u64,
        sources: &[Arc<Source>],
        tape: &Arc<dyn Tape>,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        RUN.scope(Arc::new(Self { number, sources: sources.to_vec(), tape: Arc::clone(tape) }), future)
    }
}

/// How often a read is repeated because a cache has changed during it.
#[cfg(feature = "cluster")]
const READS: usize = 8;

/// Reads caches, and notes their versions if the run is recorded: those that the caches had during the whole read. A cache that changes
/// all the time has the last of eight reads, and the versions before it. In a replay it waits until the caches are as they were.
#[cfg(feature = "cluster")]
pub(crate) async fn read<T>(read: impl Fn() -> T) -> T {
    let Some(run) = CurrentRun::get() else { return read() };
    if let Some(ready) = run.tape.before_read(run.number) {
        // A replay that is over lets it read.
        let _ = ready.await;
        return read();
    }
    let (mut before, mut left) = (run.versions(), READS);
    loop {
        let value = read();
        let after = run.versions();
        left -= 1;
        if before == after || left == 0 {
            run.tape.has_read(run.number, before);
            return value;
        }
        before = after;
    }
}

pub(crate) fn versions(sources: &[Arc<Source>]) -> Versions {
    sources.iter().flat_map(|source| source.look.versions()).collect()
}

/// Connects a tape with the controllers whose informers use clients of this server. The tape is not kept alive.
pub fn connect(server: Option<Str>, tape: &Arc<dyn Tape>) {
    let mut tapes = TAPES.lock().unwrap_or_else(PoisonError::into_inner);
    tapes.retain(|(_, tape)| tape.strong_count() > 0);
    tapes.push((WriteLog::new(server), Arc::downgrade(tape)));
}

/// The tape of a controller whose informers have clients with these logs.
pub(crate) fn tape_of(logs: &[WriteLog]) -> Option<Arc<dyn Tape>> {
    let tapes = TAPES.lock().unwrap_or_else(PoisonError::into_inner);
    let of_server = |(server, _): &&(WriteLog, _)| logs.iter().any(|log| log.is_same_server(server));
    tapes.iter().rev().find(of_server).and_then(|(_, tape)| tape.upgrade())
}
