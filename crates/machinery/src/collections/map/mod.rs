//! [`Map`], its builder and its iterators.

mod build;
mod iter;
mod serde;
#[cfg(test)]
mod tests;

use super::{Handle, List, Str};
pub use build::MapBuilder;
pub use iter::{IntoIter, IntoKeys, IntoValues, Iter, IterMut, Keys, Values, ValuesMut};
use std::{
    collections::{BTreeMap, HashMap},
    fmt, mem,
    ops::Index,
    thread,
};

/// A map from text to `V`, one word wide, copied on write.
///
/// A [`List`] of entries, sorted by key: iteration is in key order (bytewise, as Go sorts), a lookup is a binary
/// search. It suits labels, annotations and other maps with tens of entries. Inserting or removing an entry moves
/// those after it, so build a larger map at once, with `collect`, `extend` or [`MapBuilder`]: linear if keys come in
/// order, as they do on the wire.
///
/// Clones share; an edit first copies a block that another handle shares. An empty map has no heap. `Option<Map<V>>`
/// is also one word.
///
/// ```
/// use client_rs_machinery::Map;
///
/// let labels: Map<&str> = [("tier", "web"), ("app", "shop")].into();
/// let mut canary = labels.clone();
/// canary.insert("track", "canary");
/// assert_eq!(canary.get("app"), Some(&"shop"));
/// assert!(labels.keys().eq(["app", "tier"]) && canary.len() == 3);
/// ```
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<V>(List<(Str, V)>);

impl<V> Map<V> {
    /// No entries, and no heap.
    pub const EMPTY: Self = Self(List::EMPTY);

    /// Creates an empty map.
    #[inline]
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// Returns the number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of `key`.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&V> {
        self.find(key).ok().map(|at| &self.0[at].1)
    }

    /// Returns the entry of `key` with the stored key, to share it.
    #[inline]
    pub fn get_key_value(&self, key: &str) -> Option<(&Str, &V)> {
        self.find(key).ok().map(|at| pair(&self.0[at]))
    }

    /// Whether the map has an entry for `key`.
    #[inline]
    pub fn contains_key(&self, key: &str) -> bool {
        self.find(key).is_ok()
    }

    /// Returns the entry with the least key.
    #[inline]
    pub fn first(&self) -> Option<(&Str, &V)> {
        self.0.first().map(pair)
    }

    /// Returns the entry with the greatest key.
    #[inline]
    pub fn last(&self) -> Option<(&Str, &V)> {
        self.0.last().map(pair)
    }

    /// Returns the entries in key order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, V> {
        Iter::new(&self.0)
    }

    /// Returns the keys in order.
    #[inline]
    pub fn keys(&self) -> Keys<'_, V> {
        Keys::new(self.iter())
    }

    /// Returns the values in key order.
    #[inline]
    pub fn values(&self) -> Values<'_, V> {
        Values::new(self.iter())
    }

    /// Returns the stored entries in key order.
    #[inline]
    pub fn as_slice(&self) -> &[(Str, V)] {
        &self.0
    }

    /// Whether both share one heap block, or are empty. Equal maps may lie in different blocks.
    #[inline]
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Whether no other handle shares the heap block, so that an edit would copy nothing. An empty map is not shared.
    ///
    /// This is only a hint, unless nothing can clone this handle meanwhile: another thread with a reference to it may
    /// do so.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.is_unique()
    }

    /// Returns how many handles share the heap block; 1 without a block. Outdated at once if other threads have some
    /// of them.
    #[inline]
    pub fn holders(&self) -> usize {
        self.0.holders()
    }

    /// Bytes that the block of entries takes on the heap, shared or not. Memory that keys and values own is not
    /// counted.
    pub fn heap_size(&self) -> usize {
        self.0.heap_size()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the index of `key`, or the index to insert it at.
    #[inline]
    fn find(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(at, _)| at.as_str().cmp(key))
    }
}

impl<V: Send + Sync + 'static> Map<V> {
    /// Returns another handle on the block, with its type erased.
    pub(crate) fn handle(&self) -> Handle {
        self.0.handle()
    }

    /// Shares the block of the handle instead, if it has the same type.
    pub(crate) fn share(&mut self, other: &Handle) -> bool {
        self.0.share(other)
    }
}

impl<V: Clone> Map<V> {
    /// Returns the value of `key` for editing. Copies nothing if the key is missing.
    #[inline]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.find(key).ok().map(|at| &mut self.0.make_mut()[at].1)
    }

    /// Sets the value of `key` and returns the previous one. An existing key stays as it is stored.
    pub fn insert(&mut self, key: impl Into<Str>, value: V) -> Option<V> {
        let key = key.into();
        match self.find(&key) {
            Ok(at) => Some(mem::replace(&mut self.0.make_mut()[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Returns the value of `key` for editing; if the key is missing, `make` creates the value.
    ///
    /// ```
    /// use client_rs_machinery::Map;
    ///
    /// let mut pods_per_node: Map<u32> = Map::new();
    /// for node in ["node-1", "node-2", "node-1"] {
    ///     *pods_per_node.get_or_insert_with(node, || 0) += 1;
    /// }
    /// assert_eq!(pods_per_node["node-1"], 2);
    /// assert_eq!(pods_per_node.remove("node-2"), Some(1));
    /// assert_eq!(pods_per_node.get("node-2"), None);
    /// ```
    pub fn get_or_insert_with(&mut self, key: impl Into<Str>, make: impl FnOnce() -> V) -> &mut V {
        let key = key.into();
        let at = self.find(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, make()));
            at
        });
        &mut self.0.make_mut()[at].1
    }

    /// Removes the value of `key` and returns it. Copies nothing if the key is missing.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        self.find(key).ok().map(|at| self.0.remove(at).1)
    }

    /// Keeps the entries for which `keep` is true. `keep` may edit the values, so a shared map is always copied.
    ///
    /// If `keep` panics, all entries stay.
    pub fn retain(&mut self, mut keep: impl FnMut(&Str, &mut V) -> bool) {
        // If `keep` panics the list keeps all its entries, but not in order.
        struct Sort<'a, V: Clone>(&'a mut List<(Str, V)>);
        impl<V: Clone> Drop for Sort<'_, V> {
            fn drop(&mut self) {
                // Still shared means that the copy before the edit panicked.
                if thread::panicking()
                    && let Some(entries) = self.0.get_unique_mut()
                {
                    build::sort(entries);
                }
            }
        }
        Sort(&mut self.0).0.retain_mut(|(key, value)| keep(key, value));
    }

    /// Returns the entries in key order, with values for editing.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, V> {
        IterMut::new(self.0.make_mut())
    }

    /// Returns the values in key order for editing.
    #[inline]
    pub fn values_mut(&mut self) -> ValuesMut<'_, V> {
        ValuesMut::new(self.iter_mut())
    }

    /// Returns the keys by value, in order: moved if no other handle shares them, else cloned.
    pub fn into_keys(self) -> IntoKeys<V> {
        IntoKeys::new(self.into_iter())
    }

    /// Returns the values by value, in key order: moved if no other handle shares them, else cloned.
    pub fn into_values(self) -> IntoValues<V> {
        IntoValues::new(self.into_iter())
    }
}

#[inline]
fn pair<V>(entry: &(Str, V)) -> (&Str, &V) {
    (&entry.0, &entry.1)
}

impl<V> Clone for Map<V> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for Map<V> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Returns the value of a key.
///
/// # Panics
///
/// If the key is missing; [`Map::get`] does not panic.
impl<V> Index<&str> for Map<V> {
    type Output = V;

    fn index(&self, key: &str) -> &V {
        self.get(key).expect("no entry at this key")
    }
}

/// The last of equal keys wins.
impl<K: Into<Str>, V> FromIterator<(K, V)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut builder = MapBuilder::new();
        builder.extend(entries);
        builder.finish()
    }
}

/// The last of equal keys wins. Keys and values are converted: `[("app", "web")]` is a `Map<Str>`.
impl<K: Into<Str>, W: Into<V>, V, const N: usize> From<[(K, W); N]> for Map<V> {
    fn from(entries: [(K, W); N]) -> Self {
        entries.into_iter().map(|(key, value)| (key, value.into())).collect()
    }
}

impl<K: Into<Str>, V> From<BTreeMap<K, V>> for Map<V> {
    fn from(map: BTreeMap<K, V>) -> Self {
        map.into_iter().collect()
    }
}

impl<K: Into<Str>, V, S> From<HashMap<K, V, S>> for Map<V> {
    fn from(map: HashMap<K, V, S>) -> Self {
        map.into_iter().collect()
    }
}

impl<K: From<Str> + Ord, V: Clone> From<Map<V>> for BTreeMap<K, V> {
    fn from(map: Map<V>) -> Self {
        map.into_iter().map(|(key, value)| (key.into(), value)).collect()
    }
}

/// New entries replace old ones, and the last of equal keys wins.
impl<K: Into<Str>, V: Clone> Extend<(K, V)> for Map<V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        let new: Self = entries.into_iter().collect();
        if self.is_empty() {
            *self = new;
        } else if !new.is_empty() {
            // All code that can panic has run before the entries are taken out: after a panic the map is unchanged.
            self.0.make_mut();
            let mut builder = MapBuilder::from(mem::take(self));
            builder.extend(new);
            *self = builder.finish();
        }
    }
}

impl<V: fmt::Debug> fmt::Debug for Map<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
