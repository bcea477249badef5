//! The object that candidates compete for.

use std::str::FromStr;
use std::sync::Arc;

use client_rs_client::Error;
use futures_core::future::BoxFuture;

use crate::LeaderElectionRecord;

/// The storage of the record of an election. [`LeaseLock`](crate::LeaseLock) implements it; implement it for another object.
///
/// - `update` is conditional: it fails with [`LockError::is_conflict`] if the object has changed since this lock's last
///   `get`, `create` or `update`. The safety of the election depends on it.
/// - `create` fails with a conflict if the object exists.
/// - A call may be cancelled at any `.await`; then it is unknown whether it was carried out.
/// - Calls of one lock do not overlap, except that one may begin while a cancelled one is still on its way.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use client_rs_leaderelection::{LeaderElectionRecord, LeaderElector, LockError, ResourceLock};
/// use futures_core::future::BoxFuture;
///
/// /// A lock between the threads of one process, for tests: a version and a record.
/// #[derive(Default)]
/// struct InMemory {
///     shared: Arc<Mutex<(u64, Option<LeaderElectionRecord>)>>,
///     seen: Mutex<u64>,
/// }
///
/// impl InMemory {
///     fn write(&self, record: LeaderElectionRecord) -> Result<(), LockError> {
///         let (mut shared, mut seen) = (self.shared.lock().unwrap(), self.seen.lock().unwrap());
///         if shared.0 != *seen {
///             return Err(LockError::Conflict);
///         }
///         *shared = (shared.0 + 1, Some(record));
///         *seen = shared.0;
///         Ok(())
///     }
/// }
///
/// impl ResourceLock for InMemory {
///     fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
///         let (version, record) = self.shared.lock().unwrap().clone();
///         *self.seen.lock().unwrap() = version;
///         Box::pin(async { record.ok_or(LockError::NotFound) })
///     }
///     fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
///         Box::pin(async { self.write(record) })
///     }
///     fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
///         Box::pin(async { self.write(record) })
///     }
///     fn record_event(&self, _: &str) {}
///     fn identity(&self) -> &str {
///         "replica-a"
///     }
///     fn describe(&self) -> String {
///         "a lock in memory".to_owned()
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let elector = LeaderElector::new(InMemory::default())?;
/// let leadership = elector.acquire().await;
/// assert_eq!(leadership.fencing_token().holder, "replica-a");
/// # Ok(())
/// # }
/// ```
pub trait ResourceLock: Send + Sync + 'static {
    /// Reads the record.
    fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>>;
    /// Creates the object with this record.
    fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>>;
    /// Replaces the record.
    fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>>;
    /// Records an event for people, without waiting: `became leader`, `stopped leading`.
    fn record_event(&self, what: &str);
    /// The identity of this candidate: unique among all candidates of the object, including earlier ones.
    fn identity(&self) -> &str;
    /// The name of the object, for logs.
    fn describe(&self) -> String;

    /// Sets the [handover note](crate::HandoverNote) that each following `create` or `update` stores with the record. With
    /// `None` they keep the note that is stored, also that of another candidate. Default: notes are not stored.
    fn set_note(&self, note: Option<String>) {
        let _ = note;
    }

    /// The note in the object that this lock has last read or written. Default: none.
    fn note(&self) -> Option<String> {
        None
    }
}

/// A function that writes the note which a leader leaves for the next one, next to the record: up to which state it has
/// worked, for example. See [`LeaderElector::leave_note`](crate::LeaderElector::leave_note).
///
/// Its argument is the note that the leader found when its term began. `None` leaves the stored note unchanged.
///
/// The task that renews calls it before each renewal and before the release, so it must not block. Keep the note short: it is
/// sent with each renewal.
pub type HandoverNote = Arc<dyn Fn(Option<&str>) -> Option<String> + Send + Sync>;

/// The reason why a lock could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// The object does not exist.
    #[error("the lock was not found")]
    NotFound,
    /// The object was changed or created since it was read.
    #[error("the lock has changed since it was read")]
    Conflict,
    /// An update of an object that was never read or created.
    #[error("the lock has not been read yet: get or create it first")]
    NotRead,
    /// Any other error of the client.
    #[error(transparent)]
    Client(Error),
    /// Anything else.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl LockError {
    /// Whether the object does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound)
    }

    /// Whether the object has changed since it was read.
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

/// The kind of object of a lock, for programs that read it from their configuration. There is only one: client-go has removed
/// its locks on Endpoints and `ConfigMaps`, and the `MultiLock` for the migration to Leases.
///
/// ```
/// use client_rs_leaderelection::LockType;
///
/// assert_eq!("leases".parse(), Ok(LockType::Leases));
/// assert!("configmaps".parse::<LockType>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockType {
    /// A Lease of `coordination.k8s.io`.
    #[default]
    Leases,
}

/// The error for a text that is not a [`LockType`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockTypeError {
    /// A type that client-go has removed.
    #[error("{0} lock is removed, migrate to leases")]
    Removed(String),
    /// A type that never existed.
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
