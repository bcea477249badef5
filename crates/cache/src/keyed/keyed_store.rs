//! [`KeyedStore`]: a [`ThreadSafeStore`] that computes the keys.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use super::{KeyFunc, StoreChange, ThreadSafeStore};

/// A store whose keys a function computes from the items: client-go's `NewStore` and `NewIndexer` with a `KeyFunc`.
///
/// Reads, indexes and the contract are those of the [`ThreadSafeStore`] inside, which [`store`](Self::store) returns.
///
/// ```
/// use client_rs_cache::keyed::KeyedStore;
///
/// struct Job {
///     id: u64,
///     name: &'static str,
/// }
///
/// let jobs = KeyedStore::new(|job: &Job| job.id);
/// jobs.add(Job { id: 7, name: "backup" });
/// jobs.add(Job { id: 7, name: "restore" });
/// assert_eq!(jobs.get(&7).unwrap().name, "restore");
/// assert_eq!(jobs.store().len(), 1);
/// ```
pub struct KeyedStore<I, T> {
    key: KeyFunc<I, T>,
    store: Arc<ThreadSafeStore<I, T>>,
}

impl<I: Hash + Eq + Clone, T: 'static> KeyedStore<I, T> {
    /// Makes an empty store with a key function.
    pub fn new(key: impl Fn(&T) -> I + Send + Sync + 'static) -> Self {
        Self::from_key_func(Arc::new(key))
    }

    /// Makes an empty store with a key function that other stores and queues share.
    pub fn from_key_func(key: KeyFunc<I, T>) -> Self {
        Self { key, store: Arc::new(ThreadSafeStore::new()) }
    }

    /// Returns the store: for reads, for indexes, and as the known items of a [`KeyedDeltaFifo`](super::KeyedDeltaFifo).
    pub fn store(&self) -> &Arc<ThreadSafeStore<I, T>> {
        &self.store
    }

    /// Returns the key of an item.
    pub fn key_of(&self, item: &T) -> I {
        (self.key)(item)
    }

    /// Adds an item, or replaces the one with its key. Returns the replaced one.
    pub fn add(&self, item: impl Into<Arc<T>>) -> Option<Arc<T>> {
        let item = item.into();
        self.store.add((self.key)(&item), item)
    }

    /// The same as [`add`](Self::add).
    pub fn update(&self, item: impl Into<Arc<T>>) -> Option<Arc<T>> {
        self.add(item)
    }

    /// Deletes the item with the key of this one, and returns it.
    pub fn delete(&self, item: &T) -> Option<Arc<T>> {
        self.store.delete(&(self.key)(item))
    }

    /// Returns an item by its key.
    pub fn get(&self, key: &I) -> Option<Arc<T>> {
        self.store.get(key)
    }

    /// Returns all items, in no order.
    pub fn list(&self) -> Vec<Arc<T>> {
        self.store.list()
    }

    /// Replaces the whole content. Of two items with one key, the later one stays.
    pub fn replace(&self, items: impl IntoIterator<Item = Arc<T>>) {
        self.store.replace(items.into_iter().map(|item| ((self.key)(&item), item)));
    }

    /// Adds several items; a reader sees all of them or none.
    pub fn add_all(&self, items: impl IntoIterator<Item = Arc<T>>) {
        self.store.apply(items.into_iter().map(|item| StoreChange::Put((self.key)(&item), item)));
    }
}

impl<I, T> Clone for KeyedStore<I, T> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), store: self.store.clone() }
    }
}

impl<I: Hash + Eq + Clone + fmt::Debug, T: 'static> fmt::Debug for KeyedStore<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyedStore({:?})", self.store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Index;

    #[test]
    fn t1_9_11_the_key_function_decides_which_items_are_the_same() {
        // Words by their length.
        let words = KeyedStore::new(|word: &String| word.len());
        let by_letter = Index::new("letter", |word: &String| word.chars().next().map(String::from));
        words.store().add_indexes([by_letter.clone()]).unwrap();
        assert!(words.add("ape".to_owned()).is_none());
        assert_eq!(words.add("bee".to_owned()).as_deref().map(String::as_str), Some("ape"));
        words.update("bear".to_owned());
        assert_eq!(words.store().by(&by_letter, &"b".to_owned()).unwrap().len(), 2);
        assert_eq!(words.delete(&"xyz".to_owned()).as_deref().map(String::as_str), Some("bee"));
        assert_eq!((words.key_of(&"four".to_owned()), words.list().len()), (4, 1));
        words.replace([Arc::new("a".to_owned()), Arc::new("b".to_owned())]);
        words.add_all([Arc::new("cc".to_owned())]);
        let other = words.clone();
        assert_eq!((other.get(&1).unwrap().as_str(), other.get(&2).unwrap().as_str()), ("b", "cc"));
        assert_eq!(other.list().len(), 2);
    }
}
