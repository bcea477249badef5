//! The inputs of a reflector's [`Machine`](super::machine::Machine), and what it decides.

use std::time::Duration;

use client_rs_machinery::Str;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::WatchEventType;

use crate::FetchError;

/// What has happened.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The reflector starts.
    Start,
    /// The [`deadline`](super::machine::Machine::deadline) has passed.
    Tick,
    /// A page of the list is there.
    Listed {
        /// The list's version.
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
    /// The watch has sent a bookmark; perhaps the one behind a streamed list.
    Bookmark { resource_version: Str, initial_events_end: bool },
    /// The watch has sent something that the cache does not want: a sign of life that says nothing of how far the
    /// server is.
    PassedOver,
    /// The watch has ended.
    Closed,
    /// The watch has failed, or the server has ended it with an error.
    Broken(FetchError),
    /// The store has the staged list.
    Committed,
    /// The store refused the staged list, or it is inconsistent.
    CommitFailed(FetchError),
}

/// What is to be done, in this order.
#[derive(Debug)]
pub(crate) struct Actions {
    /// What becomes of the object of the event.
    pub(crate) object: Disposal,
    /// The version that is reached.
    pub(crate) resource_version: Option<Str>,
    /// An error for the watch error handler.
    pub(crate) report: Option<FetchError>,
    /// Something for the log.
    pub(crate) note: Option<Note>,
    /// Ask the store to resync.
    pub(crate) resync: bool,
    /// Then.
    pub(crate) next: Next,
}

/// What becomes of the object of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disposal {
    /// There is none, or it is not wanted.
    None,
    /// It belongs to the list that is being streamed.
    Stage,
    /// It goes to the store.
    Apply,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Go on with what is under way.
    Continue,
    /// Drop the watch, and do nothing before the deadline.
    Rest,
    /// List one page; on a first page with an empty staging table.
    List { options: Box<ListOptions>, first_page: bool },
    /// Drop the watch, if one is open, and open another; for a stream, with an empty staging table.
    Watch { options: Box<ListOptions>, stream: bool },
    /// Read the watch's next event.
    Read,
    /// Give the staged list to the store, after a check where one is wanted.
    Commit { resource_version: Str, check: bool },
}

/// Something for the log.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    /// The streamed list can't be had: a plain list follows.
    FallsBack(FetchError),
    /// The server is busy or not there: the wait before the next attempt.
    Waits(Duration, FetchError),
    /// The watch ended with an error: a relist follows.
    WatchEnded(FetchError),
    /// The streamed list is not complete, and no event has come for a while (since the start, if none ever).
    Quiet { events: u64, idle: Duration },
    /// The server has neither said anything nor ended the watch when it should have.
    Overdue,
    /// The server is behind the cache: what the cache has means nothing to it.
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
