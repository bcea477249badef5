//! The seam between controllers and recordings: a [`Tape`] is notified of runs, or asks for them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use client_rs_cache::Collection;
use client_rs_machinery::{ObjectKey, Str, WriteLog};
use tokio::sync::{mpsc, oneshot};

use super::format::{Versions, collection};
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

    /// A run has read caches, without having waited.
    fn has_read(&self, run: u64, seen: Seen) {
        let _ = (run, seen);
    }

    /// The runs that a controller makes instead of those of its queue. Default: those of its queue.
    fn directions(&self, controller: &str) -> Option<mpsc::UnboundedReceiver<Direction>> {
        let _ = controller;
        None
    }

    /// A controller that makes directed runs reads derived collections.
    fn derives(&self, controller: &str, graph: HeldGraph) {
        let _ = (controller, graph);
    }
}

/// A graph whose collections take the changes of their informers when that is asked for, and not by themselves.
#[derive(Clone)]
#[allow(clippy::exhaustive_structs, reason = "a pair")]
pub struct HeldGraph {
    /// Its number: other controllers may read the same graph.
    pub number: u64,
    /// Takes all changes that have arrived.
    pub flush: Arc<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for HeldGraph {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeldGraph").field("number", &self.number).finish_non_exhaustive()
    }
}

/// The versions that a run has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "a pair")]
pub struct Seen {
    /// Those of the caches of its controller.
    pub versions: Versions,
    /// Those of the informers of its graph, with the newest changes that the derived collections had.
    pub derived: Versions,
}

/// The graph whose collections a controller reads, if it reads some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    #[cfg(feature = "collections")]
    pub(crate) graph: Option<client_rs_collections::Graph>,
}

#[cfg_attr(not(feature = "collections"), expect(clippy::unused_self, reason = "there are no graphs"))]
impl Derived {
    /// Begins to note versions.
    pub(crate) fn note(&self) {
        #[cfg(feature = "collections")]
        if let Some(graph) = &self.graph {
            graph.note_versions();
        }
    }

    fn versions(&self) -> Versions {
        #[cfg(feature = "collections")]
        if let Some(graph) = &self.graph {
            return named(graph.noted_versions()).collect();
        }
        Versions::new()
    }

    /// Leaves it to a replay when the collections take changes. Returns what makes them do that.
    pub(crate) fn hold(&self) -> Option<HeldGraph> {
        #[cfg(feature = "collections")]
        if let Some(graph) = self.graph.clone() {
            let number = graph.hold();
            let flush = Arc::new(move || {
                graph.flush();
            });
            return Some(HeldGraph { number, flush });
        }
        None
    }
}

/// A run that begins.
#[derive(Debug)]
#[non_exhaustive]
pub struct RunStart<'a> {
    /// The name of the controller.
    pub controller: &'a str,
    /// The namespace of the key; empty for a key that is not that of an object.
    pub namespace: &'a str,
    /// The name of the key, or its text.
    pub name: &'a str,
    /// The failures before it.
    pub failures: u32,
    /// The versions that it sees.
    pub seen: Seen,
}

impl<'a> RunStart<'a> {
    pub(crate) fn new(controller: &'a str, key: (&'a str, &'a str), failures: u32, seen: Seen) -> Self {
        let (namespace, name) = key;
        Self { controller, namespace, name, failures, seen }
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

static CONNECTED: AtomicBool = AtomicBool::new(false);
static TAPES: Mutex<Vec<(WriteLog, Weak<dyn Tape>)>> = Mutex::new(Vec::new());

tokio::task_local! {
    static RUN: Arc<CurrentRun>;
}

/// The run of the current task.
pub struct CurrentRun {
    /// Its number.
    pub number: u64,
    see: Box<See>,
    #[cfg_attr(
        not(any(feature = "cluster", feature = "collections")),
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
        (self.see)().versions
    }

    /// A future of a run. `see` returns the versions that the run sees at this moment.
    pub(crate) fn scope<F: Future>(
        number: u64,
        see: Box<See>,
        tape: &Arc<dyn Tape>,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        RUN.scope(Arc::new(Self { number, see, tape: Arc::clone(tape) }), future)
    }
}

/// Returns the versions that a run sees now.
type See = dyn Fn() -> Seen + Send + Sync;

/// How often a read is repeated because a cache has changed during it.
#[cfg(any(feature = "cluster", feature = "collections"))]
const READS: usize = 8;

/// Reads caches, and notes their versions if the run is recorded: those that the caches had during the whole read. A cache that changes
/// all the time has the last of eight reads, and the versions before it. In a replay it waits until the caches are as they were.
#[cfg(any(feature = "cluster", feature = "collections"))]
pub(crate) async fn read<T>(read: impl Fn() -> T) -> T {
    let Some(run) = CurrentRun::get() else { return read() };
    if let Some(ready) = run.tape.before_read(run.number) {
        // A replay that is over lets it read.
        let _ = ready.await;
        return read();
    }
    let (mut before, mut left) = ((run.see)(), READS);
    loop {
        let value = read();
        let after = (run.see)();
        left -= 1;
        if before == after || left == 0 {
            run.tape.has_read(run.number, before);
            return value;
        }
        before = after;
    }
}

/// The versions that a run sees now.
pub(crate) fn seen(sources: &[Arc<Source>], derived: &Derived) -> Seen {
    Seen { versions: versions(sources), derived: derived.versions() }
}

/// Collections by their names in recordings.
pub(crate) fn named(versions: Vec<(Collection, Str)>) -> impl Iterator<Item = (String, String)> {
    versions.into_iter().map(|(of, version)| {
        let resource = of.resource.to_string();
        let name = collection(&resource, of.namespace.as_deref(), &of.label_selector, &of.field_selector);
        (name, version.to_string())
    })
}

fn versions(sources: &[Arc<Source>]) -> Versions {
    sources.iter().flat_map(|source| source.look.versions()).collect()
}

/// Connects a tape with the controllers whose informers use clients of this server. The tape is not kept alive.
pub fn connect(server: Option<Str>, tape: &Arc<dyn Tape>) {
    let mut tapes = TAPES.lock().unwrap_or_else(PoisonError::into_inner);
    tapes.retain(|(_, tape)| tape.strong_count() > 0);
    tapes.push((WriteLog::new(server), Arc::downgrade(tape)));
    CONNECTED.store(true, Ordering::Release);
}

/// Whether there was a tape in this process.
pub(crate) fn is_connected() -> bool {
    CONNECTED.load(Ordering::Acquire)
}

/// The tape of a controller whose informers have clients with these logs.
pub(crate) fn tape_of(logs: &[WriteLog]) -> Option<Arc<dyn Tape>> {
    let tapes = TAPES.lock().unwrap_or_else(PoisonError::into_inner);
    let of_server = |(server, _): &&(WriteLog, _)| logs.iter().any(|log| log.is_same_server(server));
    tapes.iter().rev().find(of_server).and_then(|(_, tape)| tape.upgrade())
}
