//! The indexes of a collection, each with the rows that have read from it.

use std::any::Any;
use std::sync::Arc;

use client_rs_machinery::hash::HashSet;

use super::failure::caught;
use super::postings::{Buckets, LabelPostings, Postings, SelectorPostings};
use super::queries::Queries;
use super::reader::{Reader, Readers};
use super::table::Table;
use super::wakes::Wakes;
use crate::Key;

/// An index of a collection with keys `K` and values `V`.
pub(crate) trait AnyIndex<K, V>: Send + Sync {
    /// Takes over a changed value, whose slot still has its key, and wakes the readers of what has changed.
    fn update(&mut self, keys: &Table<K, V>, slot: u32, new: Option<&V>, wakes: &mut Wakes);

    /// Returns the token of something that was read and had no token.
    fn resolve(&mut self, read: Box<dyn Any + Send + Sync>) -> u32;

    fn link(&mut self, token: u32, reader: Reader);

    fn unlink(&mut self, token: u32, reader: Reader);

    /// Frees the tokens that nothing uses.
    fn sweep(&mut self);

    /// Adds a node that has one row for each value of the index.
    fn add_group(&mut self, node: u32);

    fn remove_group(&mut self, node: u32);

    fn as_any(&self) -> &dyn Any;

    /// Returns the part that snapshots share, if it has one.
    fn freeze(&mut self) -> Option<Arc<dyn Any + Send + Sync>>;

    /// Returns the slots that a read of the token finds.
    fn members(&self, token: u32) -> Vec<u32>;

    /// Returns the text of the thing that was read.
    fn describe(&self, token: u32) -> String;

    /// Returns the number of noted reads.
    fn edges(&self) -> usize;

    /// Returns the number of entries for which the function of the index has panicked.
    fn failed(&self) -> usize;
}

/// Adds the values of an entry to a list.
pub(crate) type Extract<K, V, I> = Box<dyn Fn(&K, &V, &mut Vec<I>) + Send + Sync>;

/// An index by values that a function returns for each entry.
pub(crate) struct KeyIndex<K, V, I> {
    extract: Extract<K, V, I>,
    /// The slots of each value, in the order of their keys.
    pub(crate) values: Table<I, Vec<u32>>,
    /// The tokens of each slot.
    of: Vec<Tokens>,
    groups: Vec<u32>,
    scratch: Vec<I>,
    failed: HashSet<u32>,
}

/// The distinct values of one entry.
#[derive(Clone, Debug, Default, PartialEq)]
enum Tokens {
    #[default]
    None,
    One(u32),
    Many(Box<[u32]>),
}

impl<K: Key, V, I: Key> KeyIndex<K, V, I> {
    pub(crate) fn new(extract: Extract<K, V, I>) -> Self {
        Self {
            extract,
            values: Table::default(),
            of: Vec::new(),
            groups: Vec::new(),
            scratch: Vec::new(),
            failed: HashSet::default(),
        }
    }

    fn tokens(&mut self, key: &K, value: &V) -> Result<Tokens, String> {
        let mut values = std::mem::take(&mut self.scratch);
        caught(|| (self.extract)(key, value, &mut values))?;
        let tokens = match &values[..] {
            [] => Tokens::None,
            [one] => Tokens::One(self.values.intern(one)),
            many => {
                let mut tokens: Vec<_> = many.iter().map(|value| self.values.intern(value)).collect();
                tokens.sort_unstable();
                tokens.dedup();
                if let [one] = tokens[..] { Tokens::One(one) } else { Tokens::Many(tokens.into()) }
            }
        };
        values.clear();
        self.scratch = values;
        Ok(tokens)
    }

    fn wake(&self, token: u32, wakes: &mut Wakes) {
        wakes.readers(self.values.readers(token));
        for group in &self.groups {
            wakes.row(*group, 0, token);
        }
    }
}

impl<K: Key, V: Send + Sync + 'static, I: Key> AnyIndex<K, V> for KeyIndex<K, V, I> {
    fn update(&mut self, keys: &Table<K, V>, slot: u32, new: Option<&V>, wakes: &mut Wakes) {
        let key = keys.key(slot);
        let new = new.map_or(Ok(Tokens::None), |value| self.tokens(key, value));
        note_failure(&mut self.failed, key, slot, new.as_ref().err());
        let Ok(new) = new else {
            // The entry stays where it was, with its new value.
            for token in self.of.get(slot as usize).map_or(&[][..], Tokens::as_slice) {
                self.wake(*token, wakes);
            }
            return;
        };
        if self.of.len() <= slot as usize {
            self.of.resize(slot as usize + 1, Tokens::None);
        }
        let old = std::mem::replace(&mut self.of[slot as usize], new.clone());
        for token in old.as_slice() {
            if !new.as_slice().contains(token) {
                let slots = self.values.value_mut(*token);
                if let Ok(at) = slots.binary_search_by(|other| keys.key(*other).cmp(key)) {
                    slots.remove(at);
                }
                if slots.is_empty() {
                    self.values.set(*token, None);
                }
                self.wake(*token, wakes);
            }
        }
        for token in new.as_slice() {
            if !old.as_slice().contains(token) {
                let slots = self.values.value_mut(*token);
                if let Err(at) = slots.binary_search_by(|other| keys.key(*other).cmp(key)) {
                    slots.insert(at, slot);
                }
            }
            self.wake(*token, wakes);
        }
    }

    fn resolve(&mut self, read: Box<dyn Any + Send + Sync>) -> u32 {
        self.values.intern(read.downcast_ref::<I>().expect("a value of this index was read"))
    }

    fn link(&mut self, token: u32, reader: Reader) {
        self.values.link(token, reader);
    }

    fn unlink(&mut self, token: u32, reader: Reader) {
        self.values.unlink(token, reader);
    }

    fn sweep(&mut self) {
        self.values.sweep();
    }

    fn add_group(&mut self, node: u32) {
        self.groups.push(node);
    }

    fn remove_group(&mut self, node: u32) {
        self.groups.retain(|group| *group != node);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn freeze(&mut self) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(Arc::new(self.values.freeze()))
    }

    fn members(&self, token: u32) -> Vec<u32> {
        self.values.value(token).map_or_else(Vec::new, |slots| slots.to_vec())
    }

    fn describe(&self, token: u32) -> String {
        format!("index value {:?}", self.values.key(token))
    }

    fn edges(&self) -> usize {
        self.values.edges()
    }

    fn failed(&self) -> usize {
        self.failed.len()
    }
}

impl Tokens {
    fn as_slice(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::One(token) => std::slice::from_ref(token),
            Self::Many(tokens) => tokens,
        }
    }
}

/// Entries by labels or by selector, read by the other of the two.
///
/// `E` has the entries, found by what readers ask for. `W` has what they have asked for, found by an entry: the readers
/// that a change concerns.
pub(crate) struct MatchIndex<K, V, E: Postings<()>, W> {
    extract: ExtractItem<K, V, E::Item>,
    buckets: Buckets,
    entries: E,
    pub(crate) reads: Queries<W>,
    failed: HashSet<u32>,
}

/// Entries by their labels, read by selector.
pub(crate) type LabelIndex<K, V> = MatchIndex<K, V, LabelPostings<()>, SelectorPostings<Readers>>;

/// Entries by their selector, read by labels.
pub(crate) type SelectorIndex<K, V> = MatchIndex<K, V, SelectorPostings<()>, LabelPostings<Readers>>;

/// Returns the labels or the selector of an entry that has one.
pub(crate) type ExtractItem<K, V, I> = Box<dyn Fn(&K, &V) -> Option<I> + Send + Sync>;

impl<K, V, E: Postings<()>, W: Default> MatchIndex<K, V, E, W> {
    pub(crate) fn new(extract: ExtractItem<K, V, E::Item>) -> Self {
        let (buckets, entries, reads) = (Buckets::default(), E::default(), Queries::default());
        Self { extract, buckets, entries, reads, failed: HashSet::default() }
    }

    /// Calls `found` with the slot of each entry that matches, in no particular order.
    pub(crate) fn matching(&self, query: &E::Query, found: impl FnMut(u32)) {
        self.entries.matching(&self.buckets, query, found);
    }
}

impl<K, V, E, W> AnyIndex<K, V> for MatchIndex<K, V, E, W>
where
    K: Key,
    V: Send + Sync + 'static,
    E: Postings<()>,
    W: Postings<Readers, Item = E::Query, Query = E::Item>,
{
    fn update(&mut self, keys: &Table<K, V>, slot: u32, new: Option<&V>, wakes: &mut Wakes) {
        let key = keys.key(slot);
        let new = match new {
            None => Ok(None),
            Some(value) => caught(|| (self.extract)(key, value)),
        };
        note_failure(&mut self.failed, key, slot, new.as_ref().err());
        let old = self.entries.get(slot);
        if let Some(old) = old {
            self.reads.matching(&self.buckets, old, |readers| wakes.readers(readers));
        }
        // An entry whose function has panicked stays where it was.
        let Ok(new) = new else { return };
        if old == new.as_ref() {
            return;
        }
        match new {
            Some(new) => {
                self.reads.matching(&self.buckets, &new, |readers| wakes.readers(readers));
                self.entries.insert(&mut self.buckets, slot, new);
            }
            None => self.entries.remove(&mut self.buckets, slot),
        }
    }

    fn resolve(&mut self, read: Box<dyn Any + Send + Sync>) -> u32 {
        let query = read.downcast_ref::<E::Query>().expect("a reader asks for what the index has");
        self.reads.intern(&mut self.buckets, query)
    }

    fn link(&mut self, token: u32, reader: Reader) {
        self.reads.link(token, reader);
    }

    fn unlink(&mut self, token: u32, reader: Reader) {
        self.reads.unlink(token, reader);
    }

    fn sweep(&mut self) {
        self.reads.sweep(&mut self.buckets);
    }

    fn add_group(&mut self, _: u32) {}

    fn remove_group(&mut self, _: u32) {}

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn freeze(&mut self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    fn members(&self, token: u32) -> Vec<u32> {
        let mut slots = Vec::new();
        if let Some(query) = self.reads.get(token) {
            self.matching(query, |slot| slots.push(slot));
        }
        slots
    }

    fn describe(&self, token: u32) -> String {
        self.reads.get(token).map(E::describe).unwrap_or_default()
    }

    fn edges(&self) -> usize {
        self.reads.edges()
    }

    fn failed(&self) -> usize {
        self.failed.len()
    }
}

/// Notes whether the function of an index has panicked for an entry.
fn note_failure<K: Key>(failed: &mut HashSet<u32>, key: &K, slot: u32, message: Option<&String>) {
    match message {
        Some(message) => {
            tracing::error!(?key, message, "the function of an index panicked; the entry stays where it was");
            failed.insert(slot);
        }
        None if failed.is_empty() => {}
        None => {
            failed.remove(&slot);
        }
    }
}
