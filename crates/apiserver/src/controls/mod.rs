//! What a test can do to a server besides talking to it.

mod fault;

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::controllers::Controllers;
use crate::registry::Registry;
pub use fault::{Effect, Fault, Faults, InjectedFault};

/// A handle on a running server for tests: faults, time, and what was asked of it.
///
/// Cloning is cheap; all clones are of one server. Nothing here waits.
#[derive(Clone)]
pub struct TestControls {
    registry: Arc<Registry>,
    controllers: Arc<Controllers>,
    controls: Arc<Controls>,
}

/// One request that the server has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRecord {
    /// The HTTP method.
    pub method: String,
    /// The path and the query, as they came.
    pub uri: String,
    /// The `User-Agent` header; empty without one.
    pub user_agent: String,
    /// The `Accept` header; empty without one.
    pub accept: String,
    /// The `Content-Type` header; empty without one.
    pub content_type: String,
}

/// How many requests are remembered.
const LOG_MAX: usize = 100_000;

#[derive(Debug)]
pub(crate) struct Controls {
    faults: Arc<Faults>,
    log: Mutex<VecDeque<RequestRecord>>,
    no_bookmarks: AtomicBool,
    /// Counts how often all watches were dropped.
    cuts: watch::Sender<u64>,
}

impl Default for Controls {
    fn default() -> Self {
        Self {
            faults: Arc::default(),
            log: Mutex::default(),
            no_bookmarks: AtomicBool::new(false),
            cuts: watch::channel(0).0,
        }
    }
}

impl TestControls {
    pub(crate) fn new(
        registry: Arc<Registry>,
        controllers: Arc<Controllers>,
        controls: Arc<Controls>,
    ) -> Self {
        Self { registry, controllers, controls }
    }

    /// Lets requests fail. Of several faults that fit a request, the oldest happens. What is returned says how often it has
    /// happened, and takes it back.
    pub fn inject(&self, fault: Fault) -> InjectedFault {
        self.controls.faults.inject(fault)
    }

    /// Takes all faults back.
    pub fn clear_faults(&self) {
        self.controls.faults.clear();
    }

    /// Ends every watch that is open now, without an error, as a server does that goes away in good order.
    pub fn drop_watches(&self) {
        self.controls.cuts.send_modify(|count| *count += 1);
    }

    /// Forgets the history: a watch or a list from an older version is answered with 410.
    pub fn compact(&self) {
        self.registry.compact();
    }

    /// Stops sending bookmarks at intervals, or begins again. The bookmark that ends the initial events is always sent.
    pub fn stop_bookmarks(&self, stop: bool) {
        self.controls.no_bookmarks.store(stop, Ordering::Relaxed);
    }

    /// Moves the time that objects are stamped with.
    pub fn advance_clock(&self, by: Duration) {
        self.registry.clock().advance(by);
        self.controllers.expire_events(&self.registry);
    }

    /// The requests so far, oldest first; of more than 100,000, the latest.
    pub fn requests(&self) -> Vec<RequestRecord> {
        lock(&self.controls.log).iter().cloned().collect()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        lock(&self.controls.log).clear();
    }

    /// The revision of the latest write.
    pub fn revision(&self) -> u64 {
        self.registry.revision()
    }
}

impl fmt::Debug for TestControls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestControls").finish_non_exhaustive()
    }
}

impl Controls {
    /// Takes note of a request, and gives the fault that it meets.
    pub(crate) fn meet(&self, record: RequestRecord) -> Option<Effect> {
        let effect = self.faults.meet(&record);
        let mut log = lock(&self.log);
        if log.len() == LOG_MAX {
            log.pop_front();
        }
        log.push_back(record);
        effect
    }

    pub(crate) fn bookmarks_stopped(&self) -> bool {
        self.no_bookmarks.load(Ordering::Relaxed)
    }

    pub(crate) fn cuts(&self) -> watch::Receiver<u64> {
        self.cuts.subscribe()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
