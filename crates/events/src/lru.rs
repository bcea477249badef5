//! A map that drops its least recently used entry.

use std::collections::{BTreeMap, HashMap};

/// A map of at most `capacity` entries. Reading and writing an entry make it the newest.
#[derive(Clone, Debug)]
pub(crate) struct Lru<V> {
    capacity: usize,
    /// The number of the last use.
    used: u64,
    entries: HashMap<String, (u64, V)>,
    by_use: BTreeMap<u64, String>,
}

impl<V> Lru<V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), used: 0, entries: HashMap::new(), by_use: BTreeMap::new() }
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        let (used, value) = self.entries.get_mut(key)?;
        let key = self.by_use.remove(used)?;
        self.used += 1;
        *used = self.used;
        self.by_use.insert(self.used, key);
        Some(value)
    }

    pub(crate) fn insert(&mut self, key: String, value: V) {
        self.used += 1;
        if let Some((old, _)) = self.entries.insert(key.clone(), (self.used, value)) {
            self.by_use.remove(&old);
        }
        self.by_use.insert(self.used, key);
        if self.entries.len() > self.capacity
            && let Some((_, oldest)) = self.by_use.pop_first()
        {
            self.entries.remove(&oldest);
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<V> {
        let (used, value) = self.entries.remove(key)?;
        self.by_use.remove(&used);
        Some(value)
    }

    /// Every entry, the least recently used first. Does not count as use.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.by_use.values().filter_map(|key| Some((key.as_str(), &self.entries.get(key)?.1)))
    }

    /// The entry, created if it is missing.
    pub(crate) fn get_or_insert_with(&mut self, key: &str, make: impl FnOnce() -> V) -> &mut V {
        if self.get_mut(key).is_none() {
            self.insert(key.to_owned(), make());
        }
        let (_, value) = self.entries.get_mut(key).expect("the entry existed or was just inserted");
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_goes() {
        let mut lru = Lru::new(2);
        lru.insert("a".into(), 1);
        lru.insert("b".into(), 2);
        assert_eq!(lru.get_mut("a"), Some(&mut 1));
        lru.insert("c".into(), 3);
        assert_eq!(lru.get_mut("b"), None);
        assert_eq!((lru.entries.len(), lru.by_use.len()), (2, 2));
        *lru.get_or_insert_with("a", || 9) += 1;
        assert_eq!(lru.get_mut("a"), Some(&mut 2));
        lru.insert("a".into(), 5);
        lru.insert("d".into(), 4);
        assert_eq!(lru.get_mut("c"), None);
        assert_eq!(lru.iter().collect::<Vec<_>>(), [("a", &5), ("d", &4)]);
        assert_eq!((lru.remove("a"), lru.remove("a"), lru.by_use.len()), (Some(5), None, 1));
    }
}
