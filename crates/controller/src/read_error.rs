//! [`ReadError`]: why a cache could not be read.

use std::time::Duration;

use client_rs_client::Error;
use client_rs_machinery::ApiError;

/// The reason why `ClusterClient` could not read an object. A missing object is not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The kind has no informer, and the client may not start one.
    #[error(
        "{0} have no cache: request their informer before the program starts (ClusterClient::informer), or choose another \
         ClusterOptions::uncached"
    )]
    NotCached(&'static str),
    /// The informer of the kind has not been started.
    #[error("the informer of {0} has not been started: run the manager, or start the factory")]
    NotStarted(&'static str),
    /// The informer of the kind has no first list yet, or has ended.
    #[error(
        "the informer of {resource} has no first list after {after:?}: {}",
        cause.as_deref().unwrap_or("no list has failed")
    )]
    NotSynced {
        /// The resource.
        resource: &'static str,
        /// How long the read waited.
        after: Duration,
        /// The error of the last list or watch, if one failed.
        cause: Option<String>,
    },
    /// The key has a namespace and the kind has none, or the other way around.
    #[error(transparent)]
    Key(#[from] ApiError),
    /// The server refused the read, or could not be reached.
    #[error(transparent)]
    Request(#[from] Error),
}
