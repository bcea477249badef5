//! [`InitialList`]: whether the first list was processed.

use crate::Coverage;

/// Counts down what the first list put into a queue.
#[derive(Debug)]
pub(super) struct InitialList {
    /// How many parts must be listed.
    expected: usize,
    /// The parts whose first list has come.
    listed: Vec<Coverage>,
    /// Whether an event came. With one part, a queue that is fed without a list counts as populated.
    touched: bool,
    /// Entries of first lists that are not processed yet.
    left: usize,
}

impl InitialList {
    pub(super) fn new(expected: usize) -> Self {
        Self { expected: expected.max(1), listed: Vec::new(), touched: false, left: 0 }
    }

    pub(super) fn touch(&mut self) {
        self.touched = true;
    }

    /// Whether a list of this part, which has just come, is one to wait for.
    pub(super) fn is_first(&mut self, coverage: &Coverage) -> bool {
        if self.is_populated() || self.listed.contains(coverage) {
            return false;
        }
        self.listed.push(coverage.clone());
        true
    }

    /// So many entries are to be processed before all is in sync.
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
