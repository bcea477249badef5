//! [`QueueCore`]: what the queues have in common, a state machine with no lock and no clock.

use crate::{Batch, Bookmark, Coverage, Delta, Replacement};

/// A queue's state. Its consumer takes a batch, processes it and says so, one at a time.
pub(super) trait QueueCore<K>: Send + 'static {
    /// The watch reported one object: `Added`, `Updated`, `Deleted` or `Stale`.
    fn event(&mut self, delta: Delta<K>);
    /// A list came.
    fn replace(&mut self, list: Replacement<K>);
    /// What is known is to be handed out again.
    fn resync(&mut self, coverage: Coverage);
    /// Nothing changed up to a version.
    fn bookmark(&mut self, bookmark: Bookmark);
    /// The next batch; nothing if the queue is empty.
    fn take(&mut self) -> Option<Batch<K>>;
    /// The batch that was taken last is processed. `left` is what its processing failed on.
    fn done(&mut self, left: Vec<Delta<K>>);
    /// How many entries are queued.
    fn len(&self) -> usize;
    /// Whether everything that the first list brought is processed.
    fn has_synced(&self) -> bool;
}
