//! What a write asks of outside the registry. The layer above implements it: see `crate::admission`.
//!
//! The registry never waits. Where an answer is not there yet, the request ends before anything is written, with an error
//! that no client sees, and is run again from its start when the answer has come.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, Time, Unstructured};

use super::{Listing, Served};
use crate::custom::{Convert, pending};

/// What is done to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
    /// A connection to something is made through it.
    Connect,
}

impl Operation {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Connect => "CONNECT",
        }
    }

    /// The kind of the options that a request of this operation has.
    pub(crate) fn options_kind(self) -> &'static str {
        match self {
            Self::Create => "CreateOptions",
            Self::Update => "UpdateOptions",
            Self::Delete => "DeleteOptions",
            // What it says is in the object.
            Self::Connect => "",
        }
    }
}

/// What a request is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) served: &'a Served,
    /// The version and kind of what is written, where that is not the resource's own.
    pub(crate) kind: Option<(&'a str, &'a str)>,
    pub(crate) operation: Operation,
    pub(crate) namespace: &'a str,
    pub(crate) dry_run: bool,
    /// The options of a delete.
    pub(crate) options: Option<&'a Json>,
}

/// What the requests of clients ask of outside: webhooks that change, check and convert objects, and a memory over the runs
/// of one request.
///
/// - **Order**: a write calls [`mutate`](Self::mutate), then its own checks, then [`validate`](Self::validate), then
///   [`check_answered`](Self::check_answered), then it commits.
/// - **Blocking**: no method waits.
/// - **Repeatable**: each run of a request is given the same values, the same time and the same answers.
pub(crate) trait Admission: Convert + fmt::Debug + Send + Sync {
    /// Lets webhooks change an object that is to be written.
    fn mutate(
        &self,
        subject: &Subject<'_>,
        object: &mut Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError>;

    /// Asks webhooks whether an object may be written.
    fn validate(
        &self,
        subject: &Subject<'_>,
        object: &Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError>;

    /// Asks webhooks whether an object may be deleted.
    fn admit_delete(&self, subject: &Subject<'_>, old: &Unstructured) -> Result<(), ApiError>;

    /// Whether this run has asked for something that is not known yet. Its result is thrown away.
    fn is_pending(&self) -> bool;

    /// The time of the request.
    fn now(&self) -> Time;

    /// The user who asks, as reviews show users.
    fn author(&self) -> Json;

    /// A value that an earlier run has kept.
    fn kept(&self, key: &str) -> Option<String>;

    /// Keeps a value for later runs.
    fn set_kept(&self, key: &str, value: &str);

    /// The list that the request is about, as it first was.
    fn kept_listing(&self) -> Option<Arc<Listing>>;

    /// Keeps the list that the request is about.
    fn set_kept_listing(&self, listing: &Arc<Listing>);
}

impl dyn Admission + '_ {
    /// Refuses to write where an answer is still missing.
    pub(crate) fn check_answered(&self) -> Result<(), ApiError> {
        if self.is_pending() { Err(pending()) } else { Ok(()) }
    }

    /// A random value that stays the same in all runs of the request.
    pub(crate) fn keep(&self, key: &str, make: impl FnOnce() -> String) -> String {
        self.kept(key).unwrap_or_else(|| {
            let value = make();
            self.set_kept(key, &value);
            value
        })
    }

    /// The list that the request is about, as it first was.
    pub(crate) fn keep_listing<E>(
        &self,
        make: impl FnOnce() -> Result<Listing, E>,
    ) -> Result<Arc<Listing>, E> {
        if let Some(listing) = self.kept_listing() {
            return Ok(listing);
        }
        let listing = Arc::new(make()?);
        if !self.is_pending() {
            self.set_kept_listing(&listing);
        }
        Ok(listing)
    }
}
