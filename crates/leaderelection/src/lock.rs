//! The object that candidates compete for.

use std::str::FromStr;

use client_rs_client::Error;
use futures_core::future::BoxFuture;

use crate::LeaderElectionRecord;

/// Where the record of an election is kept.
///
/// - `update` is conditional: it fails with [`LockError::is_conflict`] if the object has changed since this lock's last
///   `get`, `create` or `update`. Everything rests on that.
/// - `create` fails if the object is there.
/// - A call may be cancelled at any `await`; whether it was carried out is then not known.
/// - Calls of one lock do not overlap, except that one may begin while a cancelled one is still on its way.
pub trait ResourceLock: Send + Sync + 'static {
    /// Reads the record.
    fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>>;
    /// Creates the object with this record.
    fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>>;
    /// Replaces the record.
    fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>>;
    /// Tells people, without waiting, what this candidate does: `became leader`, `stopped leading`.
    fn record_event(&self, what: &str);
    /// Who this candidate is; unique among all that ever compete for the object, restarts included.
    fn identity(&self) -> &str;
    /// Names the object, for logs.
    fn describe(&self) -> String;
}

/// A lock could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// There is no such object.
    #[error("the lock is not there")]
    NotFound,
    /// The object has changed, or has come into being, since it was read.
    #[error("the lock has changed since it was read")]
    Conflict,
    /// It is to be updated, and has never been read or created.
    #[error("the lock has not been read yet: get or create it first")]
    NotRead,
    /// Anything else that the client says.
    #[error(transparent)]
    Client(Error),
    /// Anything else.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl LockError {
    /// There is no such object.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound)
    }

    /// The object has changed since it was read.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Conflict)
    }
}

impl From<Error> for LockError {
    fn from(error: Error) -> Self {
        if error.is_not_found() {
            Self::NotFound
        } else if error.is_conflict() || error.is_already_exists() {
            Self::Conflict
        } else {
            Self::Client(error)
        }
    }
}

/// The kind of object that a lock is. There is one: client-go has removed its locks on Endpoints and `ConfigMaps`, and the
/// `MultiLock` that led from them to Leases has no use since; ours never had them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockType {
    /// A Lease of `coordination.k8s.io`.
    #[default]
    Leases,
}

/// No kind of lock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockTypeError {
    /// One that client-go had.
    #[error("{0} lock is removed, migrate to leases")]
    Removed(String),
    /// None that anyone had.
    #[error("invalid lock type {0:?}")]
    Unknown(String),
}

impl FromStr for LockType {
    type Err = LockTypeError;

    fn from_str(text: &str) -> Result<Self, LockTypeError> {
        match text {
            "leases" => Ok(Self::Leases),
            "endpoints" | "configmaps" | "endpointsleases" | "configmapsleases" => {
                Err(LockTypeError::Removed(text.to_owned()))
            }
            _ => Err(LockTypeError::Unknown(text.to_owned())),
        }
    }
}
