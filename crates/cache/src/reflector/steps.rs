//! The inputs and outputs of the [`Machine`](super::machine::Machine) of a reflector.

use std::time::Duration;

use client_rs_machinery::Str;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::WatchEventType;

use crate::FetchError;

/// An input of the machine.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The reflector starts.
    Start,
    /// The [`deadline`](super::machine::Machine::deadline) has passed.
    Tick,
    /// A page of the list has arrived.
    Listed {
        /// The version of the list.
        resource_version: Str,
        /// The token of the next page.
        continue_token: Str,
    },
    /// The list failed.
    ListFailed(FetchError),
    /// The watch is open.
    Opened,
    /// The watch could not be opened.
    OpenFailed(FetchError),
    /// The watch has sent an object: added, modified or deleted, with its version.
    Object { kind: WatchEventType, resource_version: Str },
    /// The watch has sent a bookmark; it may be the one that ends a streamed list.
    Bookmark { resource_version: Str, initial_events_end: bool },
    /// The watch has sent an event that the cache does not accept. It shows that the connection is alive, but
    /// not which version the server has reached.
    Skipped,
    /// The watch has ended.
    Closed,
    /// The watch has failed, or the server has ended it with an error.
    Broken(FetchError),
    /// The store has the staged list.
    Committed,
    /// The store refused the staged list, or it is inconsistent.
    CommitFailed(FetchError),
}

#[cfg(feature = "sim")]
impl Event {
    /// Returns the position of the event in the table of a simulation.
    pub(crate) fn number(&self) -> u8 {
        match self {
            Self::Start => 0,
            Self::Tick => 1,
            Self::Listed { .. } => 2,
            Self::ListFailed(_) => 3,
            Self::Opened => 4,
            Self::OpenFailed(_) => 5,
            Self::Object { .. } => 6,
            Self::Bookmark { .. } => 7,
            Self::Skipped => 8,
            Self::Closed => 9,
            Self::Broken(_) => 10,
            Self::Committed => 11,
            Self::CommitFailed(_) => 12,
        }
    }
}

/// The actions to perform, in this order.
#[derive(Debug)]
pub(crate) struct Actions {
    /// The handling of the object of the event.
    pub(crate) object: Disposal,
    /// The version that was reached.
    pub(crate) resource_version: Option<Str>,
    /// An error for the watch error handler.
    pub(crate) report: Option<FetchError>,
    /// A message for the log.
    pub(crate) note: Option<Note>,
    /// Ask the store to resync.
    pub(crate) resync: bool,
    /// The next step.
    pub(crate) next: Next,
}

/// The handling of the object of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// There is no object, or it is ignored.
    None,
    /// It belongs to the list that is being streamed.
    Stage,
    /// It goes to the store.
    Apply,
}

/// The next step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Continue with the current step.
    Continue,
    /// Drop the watch, and wait for the deadline.
    Rest,
    /// List one page; on a first page with an empty staging table.
    List { options: Box<ListOptions>, first_page: bool },
    /// Drop the watch, if one is open, and open another; for a stream, with an empty staging table.
    Watch { options: Box<ListOptions>, stream: bool },
    /// Read the next event of the watch.
    Read,
    /// Pass the staged list to the store, after a consistency check if `check` is set.
    Commit { resource_version: Str, check: bool },
}

/// A message for the log.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    /// A streamed list is not available: a plain list follows.
    FallsBack(FetchError),
    /// The server is busy or unreachable: the wait before the next attempt.
    Waits(Duration, FetchError),
    /// The watch ended with an error: a relist follows.
    WatchEnded(FetchError),
    /// The streamed list is not complete, and no event has arrived for a while (or since the start).
    Quiet { events: u64, idle: Duration },
    /// The server has neither sent an event nor ended the watch in time.
    Overdue,
    /// The server is behind the cache, so the versions of the cache cannot be compared with its own.
    Rewound,
}

impl Actions {
    pub(super) fn then(next: Next) -> Self {
        Self { object: Disposal::None, resource_version: None, report: None, note: None, resync: false, next }
    }

    pub(super) fn reporting(self, error: FetchError) -> Self {
        Self { report: Some(error), ..self }
    }

    pub(super) fn noting(self, note: Note) -> Self {
        Self { note: Some(note), ..self }
    }
}
