//! [`InitialList`]: tracks whether the first list was processed.

use crate::Coverage;

/// Counts down the entries that the first list put into a queue.
#[derive(Debug)]
pub(super) struct InitialList {
    /// The number of parts that must be listed.
    expected: usize,
    /// The parts whose first list has arrived.
    listed: Vec<Coverage>,
    /// Whether an event has arrived. With one part, a queue that is filled without a list counts as populated.
    touched: bool,
    /// The number of entries of first lists that are not processed yet.
    left: usize,
}

impl InitialList {
    pub(super) fn new(expected: usize) -> Self {
        Self { expected: expected.max(1), listed: Vec::new(), touched: false, left: 0 }
    }

    pub(super) fn touch(&mut self) {
        self.touched = true;
    }

    /// Returns whether the list of this part that has just arrived is a first one.
    pub(super) fn is_first(&mut self, coverage: &Coverage) -> bool {
        if self.is_populated() || self.listed.contains(coverage) {
            return false;
        }
        self.listed.push(coverage.clone());
        true
    }

    /// Sets the number of entries to process before the queue has synced.
    pub(super) fn wait_for(&mut self, entries: usize) {
        self.left = entries;
    }

    pub(super) fn done(&mut self, entries: usize) {
        self.left = self.left.saturating_sub(entries);
    }

    pub(super) fn left(&self) -> usize {
        self.left
    }

    pub(super) fn is_populated(&self) -> bool {
        self.listed.len() >= self.expected || (self.expected == 1 && self.touched)
    }

    pub(super) fn has_synced(&self) -> bool {
        self.is_populated() && self.left == 0
    }
}
