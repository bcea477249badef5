//! Why the server could not be asked what it serves.

use std::sync::Arc;

use client_rs_machinery::GroupVersion;

use crate::Error;

/// What is served could not be found out. Cheap to clone: caches keep it.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// The server was asked, and gave no answer that can be used.
    #[error(transparent)]
    Request(Arc<Error>),
    /// The server's own knowledge of this version is out of date: the API server behind it does not answer.
    #[error("stale GroupVersion discovery: {0}")]
    Stale(GroupVersion),
    /// The server says that there is nothing in this version.
    #[error("received empty response for: {0}")]
    Empty(GroupVersion),
    /// No such version among those that were served when the cache was filled; `invalidate` asks anew.
    #[error("{0} is not among the API versions that the server serves")]
    NotFound(GroupVersion),
    /// A version was to be named and is empty.
    #[error("the group and version to ask for are empty")]
    NoVersion,
    /// The answer is no discovery document.
    #[error("what {path} answers is no discovery document: {why}")]
    Document {
        /// What was asked for.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

impl DiscoveryError {
    /// Would it make sense to ask again?
    ///
    /// Yes for what lies between client and server (lost connections, time that ran out), for an overloaded server (429)
    /// and for one that fails (5xx). A connection that can't be made for another reason, such as a certificate, stays.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Request(error) if error.is_transient())
    }

    /// The server has no such thing.
    pub fn is_not_found(&self) -> bool {
        match self {
            Self::Request(error) => error.is_not_found(),
            Self::NotFound(_) => true,
            _ => false,
        }
    }

    /// The failed call, if it was one.
    pub fn request(&self) -> Option<&Error> {
        match self {
            Self::Request(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for DiscoveryError {
    fn from(error: Error) -> Self {
        Self::Request(Arc::new(error))
    }
}
