//! [`Queue`]: what reflectors and controllers need of one.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::{Bookmark, Coverage, Delta, Replacement, TransformError};

/// A queue of [deltas](Delta), filled by reflectors, emptied by one controller.
///
/// - **Order**: for each key, deltas come out in the order in which they went in. What holds between keys is the
///   implementation's to say.
/// - **Blocking**: nothing that fills the queue waits. [`ready`](Self::ready) is how a producer yields to a consumer
///   that lags.
/// - **Memory**: grows with what is queued; it is bounded if producers await `ready`.
/// - **Sync**: [`has_synced`](Self::has_synced) is true for ever once everything that the first list put into the queue
///   was processed.
/// - **Close**: what is queued is still handed out; then [`pop`](Self::pop) ends in [`PopError::Closed`].
/// - **Not promised**: more than one consumer at a time. Batches stay in order only if one task pops.
pub trait Queue<K: Object>: Send + Sync + 'static {
    /// Runs the queue's transform on an object that will be part of a [`Replacement`]. An object taken from the store
    /// has been through it and must not be again.
    fn stage(&self, object: K) -> Result<Arc<K>, TransformError>;

    /// The watch reported a new object. If its transform fails, the last good version is marked as stale.
    fn add(&self, object: K) -> Result<(), TransformError>;

    /// The watch reported a change. If its transform fails, the last good version is marked as stale.
    fn update(&self, object: K) -> Result<(), TransformError>;

    /// The watch reported a deletion, with the last state. It is queued even if the transform fails, without that state.
    fn delete(&self, object: K) -> Result<(), TransformError>;

    /// The watch reported a deletion, and the last state could not be read.
    fn delete_key(&self, key: ObjectKey);

    /// A list is complete. Its objects come from [`stage`](Self::stage) or from the store.
    fn replace(&self, replacement: Replacement<K>);

    /// Hands out again everything that the store has of this part.
    fn resync(&self, coverage: Coverage);

    /// Nothing changed up to this version.
    fn bookmark(&self, bookmark: Bookmark);

    /// The server has a version of the object that could not be read.
    fn stale(&self, key: ObjectKey, resource_version: Str);

    /// Waits until something is queued, takes the next batch out and has it processed; no lock is held meanwhile, so
    /// `process` may use the queue.
    ///
    /// `process` takes the deltas out of the batch as it handles them. What it leaves there is dropped, or queued again
    /// if it fails and the queue is made to do that.
    ///
    /// Cancel safe: nothing is taken out before the call to `process`, which is not interrupted.
    fn pop<E: Send>(
        &self,
        process: impl FnMut(&mut Batch<K>) -> Result<(), E> + Send,
    ) -> impl Future<Output = Result<(), PopError<E>>> + Send;

    /// As [`pop`](Self::pop), where there is something; does nothing and gives `None` where there is not.
    fn try_pop<E>(
        &self,
        process: impl FnMut(&mut Batch<K>) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>>;

    /// Waits until the consumer keeps up: a producer that awaits this before each event holds back the server instead
    /// of filling memory. Returns at once on a closed queue.
    fn ready(&self) -> impl Future<Output = ()> + Send;

    /// Whether everything that the first list brought was processed.
    fn has_synced(&self) -> bool;

    /// Waits until [`has_synced`](Self::has_synced). It never ends if the queue is closed before.
    fn synced(&self) -> impl Future<Output = ()> + Send;

    /// How many entries are queued.
    fn len(&self) -> usize;

    /// Whether nothing is queued.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lets [`pop`](Self::pop) end when the queue is empty. Once closed, a queue stays closed.
    fn close(&self);

    /// Whether [`close`](Self::close) was called.
    fn is_closed(&self) -> bool;
}

/// Deltas that are processed together.
pub struct Batch<K> {
    /// The deltas, oldest first.
    pub deltas: Vec<Delta<K>>,
    /// Whether they belong to what the first list brought.
    pub is_initial: bool,
}

/// Why nothing was processed, or not well.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PopError<E = Infallible> {
    /// The queue is closed and empty.
    #[error("the queue is closed")]
    Closed,
    /// The processing failed.
    #[error("processing failed: {0}")]
    Process(E),
}

impl<E: Error> PopError<E> {
    /// Whether the queue is closed and empty.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}

impl<K: Object> fmt::Debug for Batch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("deltas", &self.deltas).field("is_initial", &self.is_initial).finish()
    }
}
