//! What a reflector must know of a call that failed.

use std::sync::Arc;

use client_rs_cache::FetchError;
use client_rs_client::{Error, WatchEnd};
use client_rs_machinery::wire::DecodeErrorKind;

/// A list that failed, or a watch that did not begin.
pub(super) fn of_call(error: Error) -> FetchError {
    match error {
        Error::Api { error, .. } => FetchError::Api(error.0),
        error if error.is_connection_refused() => FetchError::ConnectionRefused(Arc::new(error)),
        // What was sent is lost, and a list that breaks off is nothing but that.
        error @ (Error::Transport { .. } | Error::Timeout { .. }) => {
            FetchError::Disconnected(Arc::new(error))
        }
        Error::Decode { ref error, .. } if *error.kind() == DecodeErrorKind::Truncated => {
            FetchError::Disconnected(arc(error.to_string()))
        }
        error => FetchError::other(error),
    }
}

/// A watch that has ended; `None` where the server has ended it in good order, or has said why.
pub(super) fn of_end(end: &WatchEnd) -> Option<FetchError> {
    let why = match end {
        WatchEnd::Closed | WatchEnd::Error | WatchEnd::Undecodable(_) => return None,
        WatchEnd::Lost(error) if error.is_connection_refused() => {
            return Some(FetchError::ConnectionRefused(arc(error.to_string())));
        }
        WatchEnd::Lost(error) => error.to_string(),
        WatchEnd::Truncated => "the watch broke off within an event".to_owned(),
        WatchEnd::Idle => "nothing was heard on the watch".to_owned(),
        WatchEnd::Timeout => "the server does not end the watch".to_owned(),
        other => format!("{other:?}"),
    };
    Some(FetchError::Disconnected(arc(why)))
}

fn arc(why: String) -> Arc<dyn std::error::Error + Send + Sync> {
    Arc::from(Box::<dyn std::error::Error + Send + Sync>::from(why))
}
