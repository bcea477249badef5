//! What a test can do to a server besides talking to it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::controllers::Controllers;
use crate::registry::Registry;

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

client_rs_machinery::options! {
    /// Something that goes wrong with requests.
    #[derive(Clone, Debug)]
    pub struct Fault {
        /// Only requests with this method; `None` for all.
        pub method: Option<String> => with_method,
        /// Only requests whose path contains this; empty for all.
        pub path_contains: String => with_path_contains,
        /// How many requests; `None` for all until [`TestControls::clear_faults`].
        pub times: Option<usize> => with_times,
        /// What happens.
        pub effect: Effect => with_effect,
    }
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// The server answers with this status code and a `Status` instead of doing anything.
    Status {
        /// The code.
        code: u16,
        /// The reason in one word, such as `TooManyRequests`; empty for none.
        reason: String,
        /// The sentence.
        message: String,
        /// The `Retry-After` header, in seconds.
        retry_after_seconds: Option<u32>,
    },
    /// The request is served after this delay.
    Delay(Duration),
    /// The answer's body breaks off after this many bytes, and the connection with it.
    Truncate(usize),
    /// The request is never answered, until the client gives up.
    Freeze,
}

/// How many requests are remembered.
const LOG_MAX: usize = 100_000;

#[derive(Debug)]
pub(crate) struct Controls {
    faults: Mutex<Vec<Fault>>,
    log: Mutex<VecDeque<RequestRecord>>,
    no_bookmarks: AtomicBool,
    /// Counts how often all watches were dropped.
    cuts: watch::Sender<u64>,
}

impl Fault {
    /// This happens to every request, until [`TestControls::clear_faults`].
    pub fn new(effect: Effect) -> Self {
        Self { method: None, path_contains: String::new(), times: None, effect }
    }
}

impl Default for Controls {
    fn default() -> Self {
        Self {
            faults: Mutex::default(),
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

    /// Lets requests fail. Of several faults that fit a request, the oldest happens.
    pub fn inject(&self, fault: Fault) {
        lock(&self.controls.faults).push(fault);
    }

    /// Takes all faults back.
    pub fn clear_faults(&self) {
        lock(&self.controls.faults).clear();
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
        let mut faults = lock(&self.faults);
        let path = record.uri.split('?').next().unwrap_or_default();
        let fits = |fault: &Fault| {
            fault.times != Some(0)
                && fault.method.as_ref().is_none_or(|method| method.eq_ignore_ascii_case(&record.method))
                && path.contains(&fault.path_contains)
        };
        let met = faults.iter().position(fits);
        let effect = met.map(|at| {
            if let Some(times) = &mut faults[at].times {
                *times -= 1;
            }
            faults[at].effect.clone()
        });
        faults.retain(|fault| fault.times != Some(0));
        drop(faults);
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
