//! How a reflector is doing, for those who look from outside.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use client_rs_machinery::Str;

/// How a reflector is doing; shared with those who look.
#[derive(Debug, Default)]
pub(crate) struct StatusCell(Mutex<Status>);

/// How a reflector is doing.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// A word for what it does: `idle`, `streaming`, `listing`, `committing`, `opening`, `watching`, `paused`,
    /// `resting` or `stopped`.
    pub phase: &'static str,
    /// The version that the cache was last brought to; empty before the first list.
    pub resource_version: Str,
    /// Lists that were completed, streamed or not.
    pub lists: u64,
    /// Watches that were opened.
    pub watches: u64,
    /// Objects and events that could not be read or transformed.
    pub undecodable: u64,
    /// Errors passed to the watch error handler.
    pub errors: u64,
    /// The last of them.
    pub last_error: Option<String>,
    /// When the server last said something.
    pub last_event: Option<Instant>,
    /// How long the last list took.
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

    fn lock(&self) -> MutexGuard<'_, Status> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
