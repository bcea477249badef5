//! The store: objects, their history, and the ordered changes.
//!
//! It is a pure data structure without a clock, a lock or a task. One revision counter spans all tables, as in
//! etcd: each write takes the next revision, and each revision is one write. There are three views of the same
//! history:
//! - the latest state;
//! - the state at any revision of the window ([`Store::scan`] with a revision);
//! - the changes after any revision of the window ([`Store::changes`]).
//!
//! # Watches
//! A watch is a cursor that its owner keeps: the revision that it has seen. The owner reads the changes after it.
//! So a watch has no gaps and no duplicates by construction, and an idle watch costs nothing here. The store
//! buffers nothing for a watch that does not read: the watch falls out of the window and gets [`Compacted`].
//!
//! # Memory
//! The live objects, plus at most [`Store::new`]'s number of changes with the values that they replaced.

mod chain;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use client_rs_machinery::Str;

use chain::Chain;

/// The objects of all tables, with their history.
///
/// `V` is a value that is cheap to clone, such as a pointer.
///
/// A clone shares its tables with the original. The first write to a shared table copies that table.
#[derive(Clone, Debug)]
pub(crate) struct Store<V> {
    tables: Vec<Arc<Table<V>>>,
    revision: u64,
    compacted: u64,
    /// The table and revision of each change in the window, oldest first.
    window: VecDeque<(TableId, u64)>,
    limit: usize,
}

/// A table of a [`Store`]: the objects of one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableId(usize);

#[derive(Clone, Debug)]
struct Table<V> {
    chains: BTreeMap<Str, Chain<V>>,
    /// The changes of the window, oldest first.
    changes: VecDeque<Arc<Change<V>>>,
}

/// One write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change<V> {
    /// Its revision.
    pub(crate) revision: u64,
    /// The changed key.
    pub(crate) key: Str,
    /// The new value of the key. For a delete, the last state of the object.
    pub(crate) value: V,
    /// The value before.
    pub(crate) previous: Option<V>,
    /// Whether the key was deleted.
    pub(crate) deleted: bool,
}

/// The precondition of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expect {
    /// The key does not exist.
    Absent,
    /// The latest write of the key has this revision.
    At(u64),
}

/// A write operation.
#[derive(Debug)]
pub(crate) enum Write<V> {
    /// Puts a value.
    Put(V),
    /// Removes the key. The value is the last state of the object.
    Delete(V),
}

/// The precondition of a write failed. The value is the current revision of the key, if it exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch(pub(crate) Option<u64>);

/// The requested history is no longer kept. The value is the oldest revision that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Compacted(pub(crate) u64);

/// The range of a scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range<'a> {
    /// The prefix of the keys.
    pub(crate) prefix: &'a str,
    /// The first key; empty for all.
    pub(crate) from: &'a str,
}

impl<V: Clone> Store<V> {
    /// Creates an empty store that keeps the last `limit` changes.
    pub(crate) fn new(limit: usize) -> Self {
        // Revision 1 is the empty store, as in etcd. Clients treat 0 as unset.
        Self { tables: Vec::new(), revision: 1, compacted: 1, window: VecDeque::new(), limit }
    }

    /// Creates an empty table.
    pub(crate) fn add_table(&mut self) -> TableId {
        self.tables.push(Arc::new(Table { chains: BTreeMap::new(), changes: VecDeque::new() }));
        TableId(self.tables.len() - 1)
    }

    /// The revision of the latest write.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The oldest revision that can be read, and after which changes can be followed.
    #[cfg(test)]
    pub(crate) fn compacted(&self) -> u64 {
        self.compacted
    }

    /// The value of a key, with the revision of its latest write.
    pub(crate) fn get(&self, table: TableId, key: &str) -> Option<(u64, &V)> {
        self.tables[table.0].chains.get(key)?.latest()
    }

    /// The keys of a range in order, with their values and revisions, at the revision `at`.
    ///
    /// A future revision returns the latest state.
    pub(crate) fn scan<'s>(
        &'s self,
        table: TableId,
        range: Range<'s>,
        at: u64,
    ) -> Result<impl Iterator<Item = (&'s Str, u64, &'s V)>, Compacted> {
        self.check(at)?;
        let from = if range.from > range.prefix { range.from } else { range.prefix };
        let chains = &self.tables[table.0].chains;
        Ok(chains
            .range::<str, _>((Bound::Included(from), Bound::Unbounded))
            .take_while(move |(key, _)| key.starts_with(range.prefix))
            .filter_map(move |(key, chain)| chain.at(at).map(|(revision, value)| (key, revision, value))))
    }

    /// The changes of a table after a revision, oldest first.
    pub(crate) fn changes(
        &self,
        table: TableId,
        after: u64,
    ) -> Result<impl Iterator<Item = &Arc<Change<V>>>, Compacted> {
        self.check(after)?;
        let changes = &self.tables[table.0].changes;
        Ok(changes.range(changes.partition_point(|change| change.revision <= after)..))
    }

    /// Whether a table has no keys, not even in the history.
    pub(crate) fn is_empty(&self, table: TableId) -> bool {
        self.tables[table.0].chains.is_empty()
    }

    /// Whether the precondition of a write holds.
    pub(crate) fn holds(&self, table: TableId, key: &str, expect: Expect) -> bool {
        match (expect, self.get(table, key)) {
            (Expect::Absent, None) => true,
            (Expect::At(expected), Some((revision, _))) => expected == revision,
            _ => false,
        }
    }

    /// Writes a key if the precondition holds. `write` receives the new revision, which the value contains.
    pub(crate) fn write(
        &mut self,
        table: TableId,
        key: &Str,
        expect: Expect,
        write: impl FnOnce(u64) -> Write<V>,
    ) -> Result<Arc<Change<V>>, Mismatch> {
        let found = self.get(table, key).map(|(revision, value)| (revision, value.clone()));
        if !self.holds(table, key, expect) {
            return Err(Mismatch(found.map(|(revision, _)| revision)));
        }
        self.revision += 1;
        let revision = self.revision;
        let (value, deleted) = match write(revision) {
            Write::Put(value) => (value, false),
            Write::Delete(value) => (value, true),
        };
        let change = Arc::new(Change {
            revision,
            key: key.clone(),
            value: value.clone(),
            previous: found.map(|(_, value)| value),
            deleted,
        });
        let at = Arc::make_mut(&mut self.tables[table.0]);
        at.chains.entry(key.clone()).or_default().push(revision, (!deleted).then_some(value));
        at.changes.push_back(Arc::clone(&change));
        self.window.push_back((table, revision));
        if let Some(&(_, oldest)) = self.window.front()
            && self.window.len() > self.limit
        {
            self.compact(oldest);
        }
        Ok(change)
    }

    /// Puts a value of an earlier store, with its revision there and without history.
    pub(crate) fn load(&mut self, table: TableId, key: &Str, revision: u64, value: V) {
        let table = Arc::make_mut(&mut self.tables[table.0]);
        let mut chain = Chain::default();
        chain.push(revision, Some(value));
        table.chains.insert(key.clone(), chain);
        self.revision = self.revision.max(revision);
    }

    /// Continues at a revision of an earlier store: its history is not available, and the next write has the next
    /// revision. A lower revision than the current one changes nothing.
    pub(crate) fn resume(&mut self, revision: u64) {
        self.revision = self.revision.max(revision);
        self.compact(u64::MAX);
    }

    /// Discards the history before a revision. A future revision means the latest.
    pub(crate) fn compact(&mut self, revision: u64) {
        let revision = revision.min(self.revision);
        if revision <= self.compacted {
            return;
        }
        self.compacted = revision;
        while let Some(&(table, oldest)) = self.window.front()
            && oldest <= revision
        {
            self.window.pop_front();
            let table = Arc::make_mut(&mut self.tables[table.0]);
            let Some(change) = table.changes.pop_front() else { continue };
            debug_assert_eq!(change.revision, oldest);
            if table.chains.get_mut(&change.key).is_some_and(|chain| chain.compact(revision)) {
                table.chains.remove(&change.key);
            }
        }
    }

    fn check(&self, revision: u64) -> Result<(), Compacted> {
        if revision < self.compacted { Err(Compacted(self.compacted)) } else { Ok(()) }
    }
}
