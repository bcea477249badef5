use super::{
    super::{List, ListBuilder, Str},
    Map,
};
use std::{fmt, mem};

/// Builds a [`Map`].
///
/// ```
/// use client_rs_machinery::collections::MapBuilder;
///
/// let mut builder = MapBuilder::with_capacity(3);
/// builder.insert("tier", "front");
/// builder.insert("app", "web");
/// builder.insert("app", "shop");
/// let labels = builder.finish();
/// assert!(labels.keys().eq(["app", "tier"]));
/// assert_eq!(labels["app"], "shop");
/// ```
///
/// The entries may come in any order; the last of equal keys wins. Linear if they come in key order, as on the wire;
/// else [`finish`](Self::finish) sorts once. It fills the final block of the map, like [`ListBuilder`].
pub struct MapBuilder<V> {
    entries: ListBuilder<(Str, V)>,
    // False once a key was not greater than all before it.
    sorted: bool,
}

impl<V> MapBuilder<V> {
    /// Creates a builder without capacity.
    #[inline]
    pub const fn new() -> Self {
        Self { entries: ListBuilder::new(), sorted: true }
    }

    /// Creates a builder for exactly `capacity` entries, with one allocation (none for 0).
    ///
    /// # Panics
    ///
    /// If `capacity` is more than `u32::MAX`. Bound a number from outside before you pass it: the memory is reserved.
    #[inline]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { entries: ListBuilder::with_capacity(capacity), sorted: true }
    }

    /// Adds an entry.
    #[inline]
    pub fn insert(&mut self, key: impl Into<Str>, value: V) {
        let key = key.into();
        if let Some((last, _)) = self.entries.as_slice().last() {
            self.sorted &= *last < key;
        }
        self.entries.push((key, value));
    }

    /// Returns the entries so far in their original order, also those that a later one replaces.
    #[inline]
    pub fn as_slice(&self) -> &[(Str, V)] {
        self.entries.as_slice()
    }

    /// Returns the map.
    #[inline]
    pub fn finish(mut self) -> Map<V> {
        if !self.sorted {
            self.sort();
        }
        Map(self.entries.finish())
    }

    #[cold]
    fn sort(&mut self) {
        let entries = self.entries.as_mut_slice();
        // A stable sort: the last of equal keys stays last.
        sort(entries);
        let mut kept = 0;
        for at in 0..entries.len() {
            if entries.get(at + 1).is_none_or(|next| next.0 != entries[at].0) {
                entries.swap(kept, at);
                kept += 1;
            }
        }
        self.entries.truncate(kept);
    }
}

/// Up to this number, entries are sorted in place, without an allocation.
const FEW: usize = 20;

/// Sorts entries by key; those of equal keys stay in their order. Only the swaps depend on the type of the values, so that the
/// sort itself is compiled once.
pub(super) fn sort<V>(entries: &mut [(Str, V)]) {
    if entries.len() <= FEW {
        for end in 1..entries.len() {
            let mut at = end;
            while at > 0 && entries[at].0 < entries[at - 1].0 {
                entries.swap(at, at - 1);
                at -= 1;
            }
        }
        return;
    }
    let mut keys = Vec::with_capacity(entries.len());
    for (key, _) in &*entries {
        keys.push(key.as_str());
    }
    // `order[at]` is the place of the entry that belongs at `at`. Each cycle is followed once, and then undone.
    let mut order = order(&keys);
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            entries.swap(at, from);
            at = from;
        }
    }
}

#[inline(never)]
fn order(keys: &[&str]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|at| keys[*at]);
    order
}

/// Continues with the entries of a map. They are moved if no other handle shares them, else cloned.
impl<V: Clone> From<Map<V>> for MapBuilder<V> {
    fn from(mut map: Map<V>) -> Self {
        Self { entries: mem::replace(&mut map.0, List::EMPTY).into(), sorted: true }
    }
}

impl<V> Default for MapBuilder<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Into<Str>, V> Extend<(K, V)> for MapBuilder<V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        let entries = entries.into_iter();
        self.entries.reserve_exact(entries.size_hint().0);
        entries.for_each(|(key, value)| self.insert(key, value));
    }
}

impl<V: fmt::Debug> fmt::Debug for MapBuilder<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.as_slice().iter().map(|(key, value)| (key, value))).finish()
    }
}
