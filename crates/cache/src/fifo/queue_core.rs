//! [`QueueCore`]: the common interface of the queues, a state machine without lock and clock.

use crate::{Batch, Bookmark, Coverage, Delta, Replacement};

/// The state of a queue. Its consumer takes a batch, processes it and calls `done`, one batch at a time.
pub(super) trait QueueCore<K>: Send + 'static {
    /// Adds a report of one object: `Added`, `Updated`, `Deleted` or `Stale`.
    fn event(&mut self, delta: Delta<K>);
    /// Adds a list.
    fn replace(&mut self, list: Replacement<K>);
    /// Hands out the known objects again.
    fn resync(&mut self, coverage: Coverage);
    /// Adds a bookmark.
    fn bookmark(&mut self, bookmark: Bookmark);
    /// Removes the next batch; `None` if the queue is empty.
    fn take(&mut self) -> Option<Batch<K>>;
    /// Notes that the last batch was processed. `left` has the deltas on which processing failed.
    fn done(&mut self, left: Vec<Delta<K>>);
    /// Returns the number of queued entries.
    fn len(&self) -> usize;
    /// Returns whether nothing is queued or in progress.
    fn is_idle(&self) -> bool;
    /// Returns whether every entry of the first list was processed.
    fn has_synced(&self) -> bool;
}
