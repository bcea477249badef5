//! The interface of the registry to admission webhooks. `crate::admission` implements it.
//!
//! The registry never waits. If a response has not arrived yet, the request fails before it writes anything, with
//! an error that no client receives. It runs again from the start when the response has arrived.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{ApiError, Json, Time, Unstructured};

use super::{Listing, Served};
use crate::custom::{Convert, pending};

/// An operation on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
    /// A connection through the object.
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

    /// The kind of the options of a request.
    pub(crate) fn options_kind(self) -> &'static str {
        match self {
            Self::Create => "CreateOptions",
            Self::Update => "UpdateOptions",
            Self::Delete => "DeleteOptions",
            // The options of a connection are in the object.
            Self::Connect => "",
        }
    }
}

/// The resource and operation of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) served: &'a Served,
    /// The version and kind of the written object, if it is not the resource's own.
    pub(crate) kind: Option<(&'a str, &'a str)>,
    pub(crate) operation: Operation,
    pub(crate) namespace: &'a str,
    pub(crate) dry_run: bool,
    /// The options of a delete.
    pub(crate) options: Option<&'a Json>,
}

/// The webhooks that change, validate and convert objects, and the values that all runs of a request share.
///
/// - **Order**: a write calls [`mutate`](Self::mutate), then its own checks, then [`validate`](Self::validate),
///   then [`check_answered`](Self::check_answered), then it commits.
/// - **Blocking**: no method waits.
/// - **Repeatable**: each run of a request gets the same values, the same time and the same responses.
pub(crate) trait Admission: Convert + fmt::Debug + Send + Sync {
    /// Calls the mutating webhooks. Returns whether they changed the object.
    fn mutate(
        &self,
        subject: &Subject<'_>,
        object: &mut Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<bool, ApiError>;

    /// Calls the validating webhooks.
    fn validate(
        &self,
        subject: &Subject<'_>,
        object: &Unstructured,
        old: Option<&Unstructured>,
    ) -> Result<(), ApiError>;

    /// Calls the webhooks for a delete.
    fn admit_delete(&self, subject: &Subject<'_>, old: &Unstructured) -> Result<(), ApiError>;

    /// Whether this run needs a response that has not arrived. The result of such a run is discarded.
    fn is_pending(&self) -> bool;

    /// The time of the request.
    fn now(&self) -> Time;

    /// The user of the request, as reviews contain users.
    fn author(&self) -> Json;

    /// Sends a warning to the client, unless the run is discarded.
    fn warn(&self, text: &str);

    /// A value that an earlier run stored.
    fn kept(&self, key: &str) -> Option<String>;

    /// Stores a value for later runs.
    fn set_kept(&self, key: &str, value: &str);

    /// The list of the request, as the first run read it.
    fn kept_listing(&self) -> Option<Arc<Listing>>;

    /// Stores the list of the request.
    fn set_kept_listing(&self, listing: &Arc<Listing>);
}

impl dyn Admission + '_ {
    /// Refuses to write while a response is missing.
    pub(crate) fn check_answered(&self) -> Result<(), ApiError> {
        if self.is_pending() { Err(pending()) } else { Ok(()) }
    }

    /// A random value that is the same in all runs of the request.
    pub(crate) fn keep(&self, key: &str, make: impl FnOnce() -> String) -> String {
        self.kept(key).unwrap_or_else(|| {
            let value = make();
            self.set_kept(key, &value);
            value
        })
    }

    /// The list of the request, as the first run read it.
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
