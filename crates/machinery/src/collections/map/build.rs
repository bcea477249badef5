use super::{
    super::{List, ListBuilder, Str},
    Map,
};
use std::{fmt, mem};

/// Entries of a [`Map`] to be.
///
/// They may come in any order; the last of equal keys wins. Linear if they come in order, as on the wire; else
/// [`finish`](Self::finish) sorts once. It fills the map's final block, like [`ListBuilder`].
pub struct MapBuilder<V> {
    entries: ListBuilder<(Str, V)>,
    // False once a key was not greater than all before it.
    sorted: bool,
}

impl<V> MapBuilder<V> {
    /// No room yet.
    #[inline]
    pub const fn new() -> Self {
        Self { entries: ListBuilder::new(), sorted: true }
    }

    /// Room for exactly `capacity` entries, in one allocation (none for 0).
    ///
    /// # Panics
    ///
    /// If that is more than `u32::MAX`. Don't pass a number from outside without a bound: the memory is reserved.
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

    /// The entries so far, in the order in which they came, with those that a later one replaces.
    #[inline]
    pub fn as_slice(&self) -> &[(Str, V)] {
        self.entries.as_slice()
    }

    /// The map.
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
        // Stable: of equal keys the last one came last.
        entries.sort_by(|a, b| a.0.cmp(&b.0));
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

/// Goes on with a map's entries: moved if no other handle shares them, else cloned.
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
