//! [`VecMap`], its entries and iterators.

use std::{
    borrow::Borrow, collections::BTreeMap, fmt, iter, marker::PhantomData, mem, ops::Index, slice, vec,
};

use serde::de::{MapAccess, Visitor};

/// A map for a few entries: a vector, sorted by key.
///
/// It has the methods of a `BTreeMap` and its order, but a fraction of its code: a compiler generates a balanced tree
/// once per type of key and value, which is slow to compile and large in the binary.
///
/// A lookup is a binary search. An insert or a removal moves the entries after it, so entries that come in order are
/// cheap, and `n` entries in any other order take `n²/4` moves. Use it for what a program or a configuration names.
/// Do not use it where others decide how many entries there are, such as for the fields of an object: use [`Map`] or
/// a `BTreeMap` there.
///
/// ```
/// use client_rs_machinery::collections::VecMap;
///
/// let mut ports: VecMap<&str, u16> = [("metrics", 8080), ("health", 8081)].into();
/// *ports.entry("webhook").or_insert(9443) += 1;
/// assert_eq!(ports.get("webhook"), Some(&9444));
/// assert!(ports.keys().eq(&["health", "metrics", "webhook"]));
/// ```
///
/// [`Map`]: super::Map
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VecMap<K, V>(Vec<(K, V)>);

/// A view into one entry of a [`VecMap`], by [`VecMap::entry`].
#[derive(Debug)]
pub struct Entry<'a, K, V> {
    map: &'a mut VecMap<K, V>,
    key: K,
    found: Result<usize, usize>,
}

/// The entries of a [`VecMap`], in key order.
pub type Iter<'a, K, V> = iter::Map<slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

/// The entries of a [`VecMap`], in key order, with values that can be changed.
pub type IterMut<'a, K, V> = iter::Map<slice::IterMut<'a, (K, V)>, fn(&'a mut (K, V)) -> (&'a K, &'a mut V)>;

impl<K, V> VecMap<K, V> {
    /// Creates an empty map, without heap.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Iterates over the entries, in key order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Iterates over the entries, in key order. Values can be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.0.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Iterates over the keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    /// Iterates over the values, in key order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// Iterates over the values, in key order. They can be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Returns the keys, in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.0.into_iter().map(|(key, _)| key)
    }

    /// Returns the values, in key order.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// Returns the entry with the smallest key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.0.first().map(|(key, value)| (key, value))
    }

    /// Returns the entry with the largest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.0.last().map(|(key, value)| (key, value))
    }

    /// Removes the entries for which `keep` returns false.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

impl<K: Ord, V> VecMap<K, V> {
    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &self.0[at].1)
    }

    /// Returns the entry of a key.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| (&self.0[at].0, &self.0[at].1))
    }

    /// Returns the value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &mut self.0[at].1)
    }

    /// Whether there is an entry of the key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Sets the value of a key, and returns the previous one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => Some(mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes the entry of a key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    /// Removes the entry of a key, and returns it.
    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| self.0.remove(at))
    }

    /// Returns the entry of a key, which may be vacant.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let found = self.find(&key);
        Entry { map: self, key, found }
    }

    /// Where the key is, or would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Keys often come in order, as from another map.
        match self.0.last() {
            Some((last, _)) if last.borrow() < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|(other, _)| other.borrow().cmp(key)),
        }
    }
}

impl<'a, K, V> Entry<'a, K, V> {
    /// Returns the value. Inserts the given one first if the entry is vacant.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Returns the value. Inserts the result of a function first if the entry is vacant.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.found {
            Ok(at) => at,
            Err(at) => {
                self.map.0.insert(at, (self.key, value()));
                at
            }
        };
        &mut self.map.0[at].1
    }

    /// Returns the value. Inserts the type's default first if the entry is vacant.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes the value unless the entry is vacant.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.found {
            change(&mut self.map.0[at].1);
        }
        self
    }
}

impl<K, V> Default for VecMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Borrow<Q> + Ord, Q: Ord + ?Sized, V> Index<&Q> for VecMap<K, V> {
    type Output = V;

    /// # Panics
    ///
    /// If there is no entry of the key.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("no entry found for key")
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for VecMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord, V> Extend<(K, V)> for VecMap<K, V> {
    fn extend<T: IntoIterator<Item = (K, V)>>(&mut self, entries: T) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for VecMap<K, V> {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(entries: T) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for VecMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: Ord, V> From<BTreeMap<K, V>> for VecMap<K, V> {
    fn from(entries: BTreeMap<K, V>) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<K, V> IntoIterator for VecMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a VecMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut VecMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K: serde::Serialize, V: serde::Serialize> serde::Serialize for VecMap<K, V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de, K: serde::Deserialize<'de> + Ord, V: serde::Deserialize<'de>> serde::Deserialize<'de>
    for VecMap<K, V>
{
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);

        impl<'de, K: serde::Deserialize<'de> + Ord, V: serde::Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = VecMap<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut map = VecMap::new();
                while let Some((key, value)) = entries.next_entry()? {
                    map.insert(key, value);
                }
                Ok(map)
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Insert(u8, u8),
        Remove(u8),
        Add(u8),
        Double(u8),
        Keep(u8),
    }

    fn step() -> impl Strategy<Value = Step> {
        let key = 0..20_u8;
        prop_oneof![
            4 => (key.clone(), any::<u8>()).prop_map(|(key, value)| Step::Insert(key, value)),
            2 => key.clone().prop_map(Step::Remove),
            2 => key.clone().prop_map(Step::Add),
            1 => key.clone().prop_map(Step::Double),
            1 => key.prop_map(Step::Keep),
        ]
    }

    proptest! {
        #[test]
        fn is_a_tree_map(steps in prop::collection::vec(step(), 0..60)) {
            let (mut map, mut tree) = (VecMap::new(), BTreeMap::new());
            for step in steps {
                match step {
                    Step::Insert(key, value) => prop_assert_eq!(map.insert(key, value), tree.insert(key, value)),
                    Step::Remove(key) => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                    Step::Add(key) => {
                        let value = map.entry(key).or_default();
                        *value = value.wrapping_add(1);
                        let value = tree.entry(key).or_default();
                        *value = value.wrapping_add(1);
                    }
                    Step::Double(key) => {
                        map.entry(key).and_modify(|value| *value = value.wrapping_mul(2)).or_insert(7);
                        tree.entry(key).and_modify(|value| *value = value.wrapping_mul(2)).or_insert(7);
                    }
                    Step::Keep(limit) => {
                        map.retain(|key, value| *key < limit || *value % 2 == 0);
                        tree.retain(|key, value| *key < limit || *value % 2 == 0);
                    }
                }
                prop_assert!(map.iter().eq(&tree) && map.keys().eq(tree.keys()) && map.values().eq(tree.values()));
                prop_assert_eq!(map.first_key_value(), tree.first_key_value());
                prop_assert_eq!(map.last_key_value(), tree.last_key_value());
                for key in 0..20 {
                    prop_assert_eq!(map.get(&key), tree.get(&key));
                    prop_assert_eq!(map.get_key_value(&key), tree.get_key_value(&key));
                    prop_assert_eq!(map.contains_key(&key), tree.contains_key(&key));
                }
            }
            prop_assert_eq!(format!("{map:?}"), format!("{tree:?}"));
            let written = serde_json::to_string(&map).unwrap();
            prop_assert_eq!(&written, &serde_json::to_string(&tree).unwrap());
            prop_assert_eq!(&serde_json::from_str::<VecMap<u8, u8>>(&written).unwrap(), &map);
            prop_assert!(map.clone().into_keys().eq(tree.clone().into_keys()));
            prop_assert_eq!(tree.clone().into_iter().rev().collect::<VecMap<_, _>>(), map.clone());
            prop_assert_eq!(&VecMap::from(tree.clone()), &map);
            prop_assert!(map.into_iter().eq(tree));
        }
    }
}
