//! The meaning of a failed write for its event.

use client_rs_client::Error;
use client_rs_machinery::CauseType;

/// The reason of a failure, which decides about a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The event is no longer on the server: create it.
    NotFound,
    /// The event already exists.
    AlreadyExists,
    /// Its namespace is being deleted, which is not an error.
    Unwanted,
    /// The server refused it, or it can't be sent: a retry would have the same result.
    Refused,
    /// The server was not reached, or its response was malformed.
    Unclear,
}

impl Failure {
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            Error::Api { error, .. } if error.status().unexpected_object => Self::Unclear,
            Error::Api { error, .. } if error.code() == 404 => Self::NotFound,
            Error::Api { error, .. } if error.is_already_exists() => Self::AlreadyExists,
            Error::Api { error, .. } if error.has_cause(&CauseType::NamespaceTerminating) => Self::Unwanted,
            Error::Api { .. } | Error::Request(_) => Self::Refused,
            _ => Self::Unclear,
        }
    }
}
