//! [`Wakes`]: the rows that a change concerns.

use super::reader::{Reader, Readers};

/// Set in a tag: for the node, the value is the same as before. Only debug builds wake a node with it.
pub(crate) const UNCHANGED: u32 = 1 << 31;

/// Rows of other nodes that have to be looked at again, gathered while one node publishes its changes.
#[derive(Debug, Default)]
pub(crate) struct Wakes {
    /// Rows that have read something that changed.
    pub(crate) readers: Vec<Reader>,
    /// Nodes with one row for each key or index value: the node, the tag that it gave to this input, the slot.
    pub(crate) rows: Vec<(u32, u32, u32)>,
}

impl Wakes {
    pub(crate) fn readers(&mut self, readers: &Readers) {
        readers.for_each(|reader| self.readers.push(reader));
    }

    pub(crate) fn row(&mut self, node: u32, tag: u32, slot: u32) {
        self.rows.push((node, tag, slot));
    }
}
