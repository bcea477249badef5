//! Converts errors of the client for a reflector.

use std::sync::Arc;

use client_rs_cache::FetchError;
use client_rs_client::{Error, WatchEnd};
use client_rs_machinery::wire::DecodeErrorKind;

/// Converts the error of a list, or of a watch that was not opened.
pub(super) fn of_call(error: Error) -> FetchError {
    match error {
        Error::Api { error, .. } => FetchError::Api(error.0),
        error if error.is_connection_refused() => FetchError::ConnectionRefused(Arc::new(error)),
        // A list that breaks off is lost as a whole.
        error @ (Error::Transport { .. } | Error::Timeout { .. }) => {
            FetchError::Disconnected(Arc::new(error))
        }
        Error::Decode { ref error, .. } if *error.kind() == DecodeErrorKind::Truncated => {
            FetchError::Disconnected(arc(error.to_string()))
        }
        error => FetchError::other(error),
    }
}

/// Converts the end of a watch; `None` if the server ended it cleanly or sent the reason.
pub(super) fn of_end(end: &WatchEnd) -> Option<FetchError> {
    let why = match end {
        WatchEnd::Closed | WatchEnd::Error | WatchEnd::Undecodable(_) => return None,
        WatchEnd::Lost(error) if error.is_connection_refused() => {
            return Some(FetchError::ConnectionRefused(arc(error.to_string())));
        }
        WatchEnd::Lost(error) => error.to_string(),
        WatchEnd::Truncated => "the watch ended within an event".to_owned(),
        WatchEnd::Idle => "the watch received nothing for too long".to_owned(),
        WatchEnd::Timeout => "the server did not end the watch in time".to_owned(),
        other => format!("{other:?}"),
    };
    Some(FetchError::Disconnected(arc(why)))
}

fn arc(why: String) -> Arc<dyn std::error::Error + Send + Sync> {
    Arc::from(Box::<dyn std::error::Error + Send + Sync>::from(why))
}
