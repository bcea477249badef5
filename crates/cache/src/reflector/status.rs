//! The status of a reflector.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use client_rs_machinery::Str;
use tokio::sync::watch;

/// The status of a reflector, shared with its handles.
#[derive(Debug, Default)]
pub(crate) struct StatusCell {
    status: Mutex<Status>,
    /// Counts lists and errors.
    fetches: OnceLock<Arc<watch::Sender<u64>>>,
}

/// The status of a reflector; see [`ReflectorHandle::status`](super::ReflectorHandle::status).
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// The phase: `idle`, `streaming`, `listing`, `committing`, `opening`, `watching`, `paused`, `resting` or
    /// `stopped`.
    pub phase: &'static str,
    /// The version that the queue has reached; empty before the first list.
    pub resource_version: Str,
    /// The number of complete lists, streamed or plain.
    pub lists: u64,
    /// The number of opened watches.
    pub watches: u64,
    /// The number of objects and events that could not be decoded or transformed.
    pub undecodable: u64,
    /// The number of errors passed to the watch error handler.
    pub errors: u64,
    /// The last of these errors.
    pub last_error: Option<String>,
    /// The time of the last event from the server.
    pub last_event: Option<Instant>,
    /// The duration of the last list.
    pub last_list_duration: Option<Duration>,
}

impl StatusCell {
    pub(crate) fn get(&self) -> Status {
        let mut status = self.lock().clone();
        if status.phase.is_empty() {
            status.phase = "idle";
        }
        status
    }

    pub(crate) fn edit(&self, edit: impl FnOnce(&mut Status)) {
        edit(&mut self.lock());
    }

    /// Counts the lists and errors of this reflector here too. Only the first call counts.
    pub(crate) fn count_fetches(&self, fetches: Arc<watch::Sender<u64>>) {
        let _ = self.fetches.set(fetches);
    }

    /// A list has arrived, or a list or watch has failed.
    pub(crate) fn fetched(&self) {
        if let Some(fetches) = self.fetches.get() {
            fetches.send_modify(|fetches| *fetches += 1);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
