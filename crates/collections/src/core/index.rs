//! The indexes of a collection, each with the rows that have read from it.

use std::any::Any;
use std::sync::Arc;

use super::postings::{LabelPostings, SelectorPostings};
use super::reader::Reader;
use super::table::Table;
use super::wakes::Wakes;
use crate::Key;
use crate::labels::{LabelSet, Selection};

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
    fn freeze(&self) -> Option<Arc<dyn Any + Send + Sync>>;

    /// Returns the slots that a read of the token finds.
    fn members(&self, token: u32) -> Vec<u32>;

    /// Returns the text of the thing that was read.
    fn describe(&self, token: u32) -> String;

    /// Returns the number of noted reads.
    fn edges(&self) -> usize;
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
        Self { extract, values: Table::default(), of: Vec::new(), groups: Vec::new(), scratch: Vec::new() }
    }

    fn tokens(&mut self, key: &K, value: &V) -> Tokens {
        let mut values = std::mem::take(&mut self.scratch);
        (self.extract)(key, value, &mut values);
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
        tokens
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
        let new = new.map_or(Tokens::None, |value| self.tokens(key, value));
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

    fn freeze(&self) -> Option<Arc<dyn Any + Send + Sync>> {
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

/// Entries by their labels, read by selector.
pub(crate) struct LabelIndex<K, V> {
    extract: ExtractLabels<K, V>,
    pub(crate) entries: LabelPostings,
    /// The selectors that were read, and the same, found by the labels they select.
    pub(crate) reads: Table<Selection, ()>,
    waiting: SelectorPostings,
}

/// Returns the labels of an entry.
pub(crate) type ExtractLabels<K, V> = Box<dyn Fn(&K, &V) -> LabelSet + Send + Sync>;

impl<K, V> LabelIndex<K, V> {
    pub(crate) fn new(extract: ExtractLabels<K, V>) -> Self {
        let (entries, reads, waiting) =
            (LabelPostings::default(), Table::default(), SelectorPostings::default());
        Self { extract, entries, reads, waiting }
    }
}

impl<K: Key, V: Send + Sync + 'static> AnyIndex<K, V> for LabelIndex<K, V> {
    fn update(&mut self, keys: &Table<K, V>, slot: u32, new: Option<&V>, wakes: &mut Wakes) {
        let new = new.map(|value| (self.extract)(keys.key(slot), value));
        let old = self.entries.get(slot);
        let same = old == new.as_ref();
        if let Some(old) = old {
            self.waiting.selecting(old, |token| wakes.readers(self.reads.readers(token)));
        }
        if same {
            return;
        }
        if let Some(new) = &new {
            self.waiting.selecting(new, |token| wakes.readers(self.reads.readers(token)));
        }
        match new {
            Some(new) => self.entries.insert(slot, new),
            None => self.entries.remove(slot),
        }
    }

    fn resolve(&mut self, read: Box<dyn Any + Send + Sync>) -> u32 {
        let selection = read.downcast_ref::<Selection>().expect("a selector was read");
        let token = self.reads.intern(selection);
        if self.waiting.get(token).is_none() {
            self.waiting.insert(token, selection.clone());
        }
        token
    }

    fn link(&mut self, token: u32, reader: Reader) {
        self.reads.link(token, reader);
    }

    fn unlink(&mut self, token: u32, reader: Reader) {
        self.reads.unlink(token, reader);
    }

    fn sweep(&mut self) {
        self.reads.sweep_with(|token| self.waiting.remove(token));
    }

    fn add_group(&mut self, _: u32) {}

    fn remove_group(&mut self, _: u32) {}

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn freeze(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    fn members(&self, token: u32) -> Vec<u32> {
        let mut slots = Vec::new();
        if let Some(selection) = self.waiting.get(token) {
            self.entries.selected(selection, |slot| slots.push(slot));
        }
        slots
    }

    fn describe(&self, token: u32) -> String {
        format!("selector {}", self.reads.key(token).selector())
    }

    fn edges(&self) -> usize {
        self.reads.edges()
    }
}

/// Entries by their selector, read by labels.
pub(crate) struct SelectorIndex<K, V> {
    extract: ExtractSelection<K, V>,
    pub(crate) entries: SelectorPostings,
    /// The label sets that were read, and the same, found by a selector.
    pub(crate) reads: Table<LabelSet, ()>,
    waiting: LabelPostings,
}

/// Returns the selector of an entry that has one.
pub(crate) type ExtractSelection<K, V> = Box<dyn Fn(&K, &V) -> Option<Selection> + Send + Sync>;

impl<K, V> SelectorIndex<K, V> {
    pub(crate) fn new(extract: ExtractSelection<K, V>) -> Self {
        let (entries, reads, waiting) =
            (SelectorPostings::default(), Table::default(), LabelPostings::default());
        Self { extract, entries, reads, waiting }
    }
}

impl<K: Key, V: Send + Sync + 'static> AnyIndex<K, V> for SelectorIndex<K, V> {
    fn update(&mut self, keys: &Table<K, V>, slot: u32, new: Option<&V>, wakes: &mut Wakes) {
        let new = new.and_then(|value| (self.extract)(keys.key(slot), value));
        let old = self.entries.get(slot);
        let same = old == new.as_ref();
        if let Some(old) = old {
            self.waiting.selected(old, |token| wakes.readers(self.reads.readers(token)));
        }
        if same {
            return;
        }
        if let Some(new) = &new {
            self.waiting.selected(new, |token| wakes.readers(self.reads.readers(token)));
        }
        match new {
            Some(new) => self.entries.insert(slot, new),
            None => self.entries.remove(slot),
        }
    }

    fn resolve(&mut self, read: Box<dyn Any + Send + Sync>) -> u32 {
        let labels = read.downcast_ref::<LabelSet>().expect("labels were read");
        let token = self.reads.intern(labels);
        if self.waiting.get(token).is_none() {
            self.waiting.insert(token, labels.clone());
        }
        token
    }

    fn link(&mut self, token: u32, reader: Reader) {
        self.reads.link(token, reader);
    }

    fn unlink(&mut self, token: u32, reader: Reader) {
        self.reads.unlink(token, reader);
    }

    fn sweep(&mut self) {
        self.reads.sweep_with(|token| self.waiting.remove(token));
    }

    fn add_group(&mut self, _: u32) {}

    fn remove_group(&mut self, _: u32) {}

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn freeze(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        None
    }

    fn members(&self, token: u32) -> Vec<u32> {
        let mut slots = Vec::new();
        if let Some(labels) = self.waiting.get(token) {
            self.entries.selecting(labels, |slot| slots.push(slot));
        }
        slots
    }

    fn describe(&self, token: u32) -> String {
        format!("selectors of {:?}", self.reads.key(token))
    }

    fn edges(&self) -> usize {
        self.reads.edges()
    }
}
