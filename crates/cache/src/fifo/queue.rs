//! [`Queue`]: the interface of reflectors and consumers to a queue.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::{Bookmark, Coverage, Delta, Replacement, TransformError};

/// A queue of [deltas](Delta) that reflectors fill and one consumer empties.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::{InOrderFifo, InOrderFifoOptions, Indexer, PopError, Queue};
///
/// let queue = InOrderFifo::new(InOrderFifoOptions::default());
/// let (mut writer, indexer) = Indexer::new();
/// queue.add(pod("web", 1))?;
/// let apply = |batch: &mut client_rs_cache::Batch<_>| {
///     writer.apply(batch.deltas.drain(..));
///     Ok::<(), std::convert::Infallible>(())
/// };
/// queue.pop(apply).await?;
/// assert_eq!(indexer.len(), 1);
///
/// queue.close();
/// let ended = queue.pop(|_| Ok::<(), std::convert::Infallible>(())).await;
/// assert_eq!(ended, Err(PopError::Closed));
/// # Ok(())
/// # }
/// ```
///
/// - **Order**: for each key, deltas come out in the order in which they went in. Each implementation documents
///   the order between keys.
/// - **Blocking**: filling the queue never waits. A producer awaits [`ready`](Self::ready) for backpressure
///   from a consumer that lags.
/// - **Memory**: grows with the queued deltas. It is bounded if producers await `ready`.
/// - **Sync**: [`has_synced`](Self::has_synced) becomes true, and stays true, once every entry of the first
///   list was processed.
/// - **Close**: queued deltas are still handed out; then [`pop`](Self::pop) returns [`PopError::Closed`].
/// - **Not promised**: more than one consumer at a time. Batches stay in order only if one task pops.
pub trait Queue<K: Object>: Send + Sync + 'static {
    /// Runs the transform of the queue on an object of a future [`Replacement`]. An object from the store has
    /// already passed it and must not pass it again.
    fn stage(&self, object: K) -> Result<Arc<K>, TransformError>;

    /// Queues a new object. If its transform fails, the last good version is marked as stale.
    fn add(&self, object: K) -> Result<(), TransformError>;

    /// Queues a change. If its transform fails, the last good version is marked as stale.
    fn update(&self, object: K) -> Result<(), TransformError>;

    /// Queues a deletion with the last state. If the transform fails, the deletion is queued without that state.
    fn delete(&self, object: K) -> Result<(), TransformError>;

    /// Queues a deletion whose last state could not be read, with its version.
    fn delete_key(&self, key: ObjectKey, resource_version: Str);

    /// Queues a complete list. Its objects come from [`stage`](Self::stage) or from the store.
    fn replace(&self, replacement: Replacement<K>);

    /// Queues a resync: all objects of this part in the store are handed out again.
    fn resync(&self, coverage: Coverage);

    /// Queues a bookmark: nothing changed up to this version.
    fn bookmark(&self, bookmark: Bookmark);

    /// Queues a mark that the server has a version of the object that could not be read.
    fn stale(&self, key: ObjectKey, resource_version: Str);

    /// Waits for a delta, removes the next batch and processes it. No lock is held during `process`, so it may
    /// use the queue.
    ///
    /// `process` removes the deltas from the batch as it handles them. Deltas that it leaves there are dropped,
    /// or queued again if it fails and the queue has that option.
    ///
    /// Cancel-safe: no batch is removed before the call of `process`, which is not interrupted.
    fn pop<E: Send>(
        &self,
        process: impl FnMut(&mut Batch<K>) -> Result<(), E> + Send,
    ) -> impl Future<Output = Result<(), PopError<E>>> + Send;

    /// Does the work of [`pop`](Self::pop) without waiting; `None` if the queue is empty and open.
    fn try_pop<E>(
        &self,
        process: impl FnMut(&mut Batch<K>) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>>;

    /// Waits until the consumer keeps up. A producer that awaits it before each event puts backpressure on the
    /// server instead of filling memory. Returns at once on a closed queue.
    fn ready(&self) -> impl Future<Output = ()> + Send;

    /// Returns whether every entry of the first list was processed.
    fn has_synced(&self) -> bool;

    /// Waits for [`has_synced`](Self::has_synced). It never returns if the queue is closed before.
    fn synced(&self) -> impl Future<Output = ()> + Send;

    /// Returns the number of queued entries.
    fn len(&self) -> usize;

    /// Returns whether the queue is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether nothing is queued, and no batch is being processed: the consumer has seen everything.
    fn is_idle(&self) -> bool;

    /// Closes the queue: [`pop`](Self::pop) returns an error once the queue is empty. Idempotent.
    fn close(&self);

    /// Returns whether [`close`](Self::close) was called.
    fn is_closed(&self) -> bool;
}

/// Deltas to process together.
pub struct Batch<K> {
    /// The deltas, oldest first.
    pub deltas: Vec<Delta<K>>,
    /// Whether they belong to the first list.
    pub is_initial: bool,
}

/// The error of [`Queue::pop`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PopError<E = Infallible> {
    /// The queue is closed and empty.
    #[error("the queue is closed")]
    Closed,
    /// Processing failed.
    #[error("processing failed: {0}")]
    Process(E),
}

impl<E: Error> PopError<E> {
    /// Returns whether the queue is closed and empty.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}

impl<K: Object> fmt::Debug for Batch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("deltas", &self.deltas).field("is_initial", &self.is_initial).finish()
    }
}
