//! [`Reader`]: a row that has read something, and [`Edge`]: the thing it has read.

use super::small_set::SmallSet;

/// The rows that have read one thing.
pub(crate) type Readers = SmallSet<Reader, 2>;

/// A row of a derived collection that has read something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Reader {
    /// The node. The highest bit is [`GUARDED`].
    node: u32,
    pub(crate) row: u32,
}

/// Set if the row is computed again only when one of its guards no longer holds.
const GUARDED: u32 = 1 << 31;

/// The thing that a row has read: a token of a table of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) source: u32,
    pub(crate) place: Place,
    pub(crate) token: u32,
    pub(crate) guarded: bool,
}

/// The table that a token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// The whole collection; the token is 0.
    All,
    /// Keys: the token is a slot.
    Keys,
    /// An index: the token is a value, a selector or a label set of it.
    Index(u16),
}

impl Reader {
    pub(crate) fn new(node: u32, row: u32, guarded: bool) -> Self {
        debug_assert!(node < GUARDED);
        Self { node: if guarded { node | GUARDED } else { node }, row }
    }

    pub(crate) fn node(self) -> u32 {
        self.node & !GUARDED
    }

    pub(crate) fn is_guarded(self) -> bool {
        self.node & GUARDED != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarded_reader_is_another_one() {
        let mut readers = Readers::default();
        readers.add(Reader::new(1, 1, false));
        assert!(!readers.remove(Reader::new(1, 1, true)));
        let guarded = Reader::new(7, 2, true);
        assert!(guarded.is_guarded() && guarded.node() == 7);
        assert!(!Reader::new(7, 2, false).is_guarded());
    }
}
