//! What a failed write means for its event.

use client_rs_client::Error;
use client_rs_machinery::CauseType;

/// Whether an event is worth another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is gone from the server: create it.
    NotFound,
    /// It is there already.
    AlreadyExists,
    /// Its namespace is being deleted: nothing to worry about.
    Unwanted,
    /// The server does not take it, or it can't be sent: trying again would give the same.
    Refused,
    /// The server was not reached, or its answer made no sense.
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
