//! [`ThreadSafeStore`]: items by key and by index, for many readers and writers.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use client_rs_machinery::Str;
use client_rs_machinery::hash::{HashMap, HashSet, RandomState};

use crate::Index;
use crate::store::{IndexError, IndexFunction, IndexValue};

/// A store of items of any type with keys of any type, and indexes over them: client-go's `ThreadSafeStore`.
///
/// Use it for items that are not Kubernetes objects, or whose key is not their namespace and name. An informer fills an
/// [`Indexer`](crate::Indexer) instead. To have keys computed from the items, use [`KeyedStore`](super::KeyedStore).
///
/// ```
/// use client_rs_cache::Index;
/// use client_rs_cache::keyed::ThreadSafeStore;
///
/// struct Connection {
///     host: &'static str,
/// }
///
/// let by_host = Index::new("host", |connection: &Connection| [connection.host]);
/// let store = ThreadSafeStore::new();
/// store.add_indexes([by_host.clone()])?;
/// store.add(1, Connection { host: "a.example" });
/// store.add(2, Connection { host: "b.example" });
/// store.add(3, Connection { host: "a.example" });
/// assert_eq!(store.by(&by_host, &"a.example")?.len(), 2);
/// assert_eq!(store.index_keys("host", "b.example")?, [2]);
/// # Ok::<(), client_rs_cache::store::IndexError>(())
/// ```
///
/// - **Threads**: every method takes `&self`; share the store in an `Arc`. A reader waits only while a change is brought in, never for
///   a key or index function. Writers wait for each other.
/// - **Consistency**: each change is visible as a whole, with its indexes. Two calls may see two states.
/// - **Order**: none, except where a method documents it.
/// - **Functions**: an index function runs on the thread of the writer. It may read the store and must not change it. If it
///   panics, the item is stored without values in that index, and the panic is logged.
/// - **Memory**: an item stays until it is deleted or replaced. Readers share it, nothing is copied.
pub struct ThreadSafeStore<I, T> {
    state: RwLock<State<I, T>>,
    /// Held during a whole write: index functions run while readers continue.
    writing: Mutex<()>,
}

/// One change of a [`ThreadSafeStore`], for [`ThreadSafeStore::apply`].
#[non_exhaustive]
pub enum StoreChange<I, T> {
    /// Adds an item, or replaces the one with this key.
    Put(I, Arc<T>),
    /// Deletes the item with this key, if there is one.
    Delete(I),
}

struct State<I, T> {
    entries: HashMap<I, Entry<T>>,
    /// The keys by value, for each index. There are no empty sets.
    indexes: Vec<HashMap<Str, HashSet<I>>>,
    functions: Arc<[IndexFunction<T>]>,
}

struct Entry<T> {
    item: Arc<T>,
    /// The values in each index, without duplicates.
    values: Vec<Vec<Str>>,
}

impl<I: Hash + Eq + Clone, T: 'static> ThreadSafeStore<I, T> {
    /// Makes an empty store without indexes.
    pub fn new() -> Self {
        let state = State { entries: HashMap::default(), indexes: Vec::new(), functions: Arc::new([]) };
        Self { state: RwLock::new(state), writing: Mutex::new(()) }
    }

    /// Adds an item, or replaces the one with this key. Returns the replaced one.
    pub fn add(&self, key: I, item: impl Into<Arc<T>>) -> Option<Arc<T>> {
        let item = item.into();
        let _writing = self.begin();
        let entry = Entry::new(&self.functions(), item);
        self.write(|state| state.put(key, entry)).map(|entry| entry.item)
    }

    /// The same as [`add`](Self::add).
    pub fn update(&self, key: I, item: impl Into<Arc<T>>) -> Option<Arc<T>> {
        self.add(key, item)
    }

    /// Deletes an item and returns it; `None` if the key is unknown.
    pub fn delete(&self, key: &I) -> Option<Arc<T>> {
        let _writing = self.begin();
        self.write(|state| state.remove(key)).map(|entry| entry.item)
    }

    /// Makes several changes in this order. A reader sees all of them or none.
    pub fn apply(&self, changes: impl IntoIterator<Item = StoreChange<I, T>>) {
        let changes: Vec<_> = changes.into_iter().collect(); // Before the lock: the iterator is code of the caller.
        let _writing = self.begin();
        let functions = self.functions();
        let entry = |change| match change {
            StoreChange::Put(key, item) => (key, Some(Entry::new(&functions, item))),
            StoreChange::Delete(key) => (key, None),
        };
        let changes: Vec<_> = changes.into_iter().map(entry).collect();
        let old: Vec<_> = self.write(|state| {
            let apply = |(key, entry)| match entry {
                Some(entry) => state.put(key, entry),
                None => state.remove(&key),
            };
            changes.into_iter().filter_map(apply).collect()
        });
        drop(old); // After the lock: dropping an item may take long.
    }

    /// Replaces the whole content. Of two items with one key, the later one stays.
    pub fn replace(&self, items: impl IntoIterator<Item = (I, Arc<T>)>) {
        let items: Vec<_> = items.into_iter().collect();
        let _writing = self.begin();
        let functions = self.functions();
        let indexes = functions.iter().map(|_| HashMap::default()).collect();
        let mut new = State {
            entries: HashMap::with_capacity_and_hasher(items.len(), RandomState::default()),
            indexes,
            functions,
        };
        for (key, item) in items {
            let entry = Entry::new(&new.functions, item);
            new.put(key, entry);
        }
        let old = self.write(|state| std::mem::replace(state, new));
        drop(old);
    }

    /// Returns an item; `None` if the key is unknown.
    pub fn get(&self, key: &I) -> Option<Arc<T>> {
        self.read(|state| state.entries.get(key).map(|entry| entry.item.clone()))
    }

    /// Returns whether the key is known.
    pub fn contains_key(&self, key: &I) -> bool {
        self.read(|state| state.entries.contains_key(key))
    }

    /// Returns all items.
    pub fn list(&self) -> Vec<Arc<T>> {
        self.read(|state| state.entries.values().map(|entry| entry.item.clone()).collect())
    }

    /// Returns all keys.
    pub fn list_keys(&self) -> Vec<I> {
        self.read(|state| state.entries.keys().cloned().collect())
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.read(|state| state.entries.len())
    }

    /// Returns whether the store is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds indexes; existing items are indexed too. Fails without a change if a name is taken or used twice.
    pub fn add_indexes<F: Into<IndexFunction<T>>>(
        &self,
        indexes: impl IntoIterator<Item = F>,
    ) -> Result<(), IndexError> {
        let indexes: Vec<IndexFunction<T>> = indexes.into_iter().map(Into::into).collect();
        let _writing = self.begin();
        let functions = self.functions();
        let mut all = functions.to_vec();
        for function in indexes {
            if all.iter().any(|other| other.name() == function.name()) {
                return Err(IndexError::Duplicate(function.name().into()));
            }
            all.push(function);
        }
        let added = &all[functions.len()..];
        let items = self.read(|state| {
            let item = |(key, entry): (&I, &Entry<T>)| (key.clone(), entry.item.clone());
            state.entries.iter().map(item).collect::<Vec<_>>()
        });
        let values: Vec<_> = items.into_iter().map(|(key, item)| (key, values_of(added, &item))).collect();
        self.write(|state| {
            state.functions = all.as_slice().into();
            state.indexes.resize_with(all.len(), HashMap::default);
            for (key, values) in values {
                let State { entries, indexes, .. } = state;
                let Some(entry) = entries.get_mut(&key) else { continue };
                let first = entry.values.len();
                for (index, values) in indexes[first..].iter_mut().zip(&values) {
                    insert(index, &key, values);
                }
                entry.values.extend(values);
            }
        });
        Ok(())
    }

    /// Returns the names of the indexes, in the order in which they were added.
    pub fn index_names(&self) -> Vec<Str> {
        self.functions().iter().map(|function| function.name().into()).collect()
    }

    /// Returns the items that have a value in a typed index.
    pub fn by<V: IndexValue>(&self, index: &Index<T, V>, value: &V) -> Result<Vec<Arc<T>>, IndexError> {
        self.by_index(index.name(), &value.to_index())
    }

    /// Returns the items that have a value in an index.
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<T>>, IndexError> {
        self.read(|state| {
            let keys = state.indexes[state.place(index)?].get(value);
            Ok(state.items(keys.into_iter().flatten()))
        })
    }

    /// Returns the keys of the items that have a value in an index, sorted.
    pub fn index_keys(&self, index: &str, value: &str) -> Result<Vec<I>, IndexError>
    where
        I: Ord,
    {
        let keys = self.read(|state| {
            let keys = state.indexes[state.place(index)?].get(value);
            Ok(keys.into_iter().flatten().cloned().collect::<Vec<_>>())
        });
        keys.map(|mut keys| {
            keys.sort_unstable();
            keys
        })
    }

    /// Returns every value that at least one item has in an index, sorted.
    pub fn index_values(&self, index: &str) -> Result<Vec<Str>, IndexError> {
        let values =
            self.read(|state| Ok(state.indexes[state.place(index)?].keys().cloned().collect::<Vec<_>>()));
        values.map(|mut values| {
            values.sort_unstable();
            values
        })
    }

    /// Returns the items that share a value with this one in an index. The item itself need not be stored.
    pub fn index(&self, index: &str, item: &T) -> Result<Vec<Arc<T>>, IndexError> {
        let values = self.values(index, item)?;
        self.read(|state| {
            let indexed = &state.indexes[state.place(index)?];
            let keys: HashSet<&I> = values.iter().filter_map(|value| indexed.get(value)).flatten().collect();
            Ok(state.items(keys))
        })
    }

    /// Returns the values of an item in an index. The item need not be stored.
    pub fn values(&self, index: &str, item: &T) -> Result<Vec<Str>, IndexError> {
        let functions = self.functions();
        let function = functions.iter().find(|function| function.name() == index);
        let function = function.ok_or_else(|| IndexError::Unknown(index.into()))?;
        Ok(values_of(std::slice::from_ref(function), item).pop().unwrap_or_default())
    }

    /// Begins a write: other writers wait until the guard is dropped.
    fn begin(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn functions(&self) -> Arc<[IndexFunction<T>]> {
        self.read(|state| state.functions.clone())
    }

    fn read<R>(&self, f: impl FnOnce(&State<I, T>) -> R) -> R {
        f(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<R>(&self, f: impl FnOnce(&mut State<I, T>) -> R) -> R {
        f(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Entry<T> {
    fn new(functions: &[IndexFunction<T>], item: Arc<T>) -> Self {
        Self { values: values_of(functions, &item), item }
    }
}

/// Returns the values of an item in each index, without duplicates. A function that panics has none.
fn values_of<T>(functions: &[IndexFunction<T>], item: &T) -> Vec<Vec<Str>> {
    let values = |function: &IndexFunction<T>| {
        let mut values = Vec::new();
        function.call_any(item, &mut values);
        values.sort_unstable();
        values.dedup();
        values
    };
    functions.iter().map(values).collect()
}

impl<I: Hash + Eq + Clone, T> State<I, T> {
    fn put(&mut self, key: I, entry: Entry<T>) -> Option<Entry<T>> {
        let old = self.remove(&key);
        for (index, values) in self.indexes.iter_mut().zip(&entry.values) {
            insert(index, &key, values);
        }
        self.entries.insert(key, entry);
        old
    }

    fn remove(&mut self, key: &I) -> Option<Entry<T>> {
        let entry = self.entries.remove(key)?;
        for (index, values) in self.indexes.iter_mut().zip(&entry.values) {
            for value in values {
                if let Some(keys) = index.get_mut(value) {
                    keys.remove(key);
                    if keys.is_empty() {
                        index.remove(value);
                    }
                }
            }
        }
        Some(entry)
    }

    fn place(&self, index: &str) -> Result<usize, IndexError> {
        let place = self.functions.iter().position(|function| function.name() == index);
        place.ok_or_else(|| IndexError::Unknown(index.into()))
    }

    fn items<'a>(&self, keys: impl IntoIterator<Item = &'a I>) -> Vec<Arc<T>>
    where
        I: 'a,
    {
        keys.into_iter().filter_map(|key| self.entries.get(key)).map(|entry| entry.item.clone()).collect()
    }
}

fn insert<I: Hash + Eq + Clone>(index: &mut HashMap<Str, HashSet<I>>, key: &I, values: &[Str]) {
    for value in values {
        index.entry(value.clone()).or_default().insert(key.clone());
    }
}

impl<I: Hash + Eq + Clone, T: 'static> Default for ThreadSafeStore<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Hash + Eq + Clone + fmt::Debug, T: 'static> fmt::Debug for ThreadSafeStore<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadSafeStore")
            .field("keys", &self.list_keys())
            .field("indexes", &self.index_names())
            .finish()
    }
}

impl<I: fmt::Debug, T> fmt::Debug for StoreChange<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put(key, _) => write!(f, "Put({key:?})"),
            Self::Delete(key) => write!(f, "Delete({key:?})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use proptest::prelude::*;

    use super::*;

    type Store = ThreadSafeStore<u32, Vec<&'static str>>;

    /// A store of lists of tags, with an index by tag.
    fn store() -> Store {
        let store = Store::new();
        store.add_indexes([tags()]).unwrap();
        store
    }

    fn tags() -> Index<Vec<&'static str>, &'static str> {
        Index::new("tag", |item: &Vec<&'static str>| item.clone())
    }

    #[test]
    fn t1_9_10_items_by_key_and_by_index() {
        let store = store();
        assert!(store.is_empty());
        assert!(store.add(1, vec!["a", "b"]).is_none());
        store.add(2, vec!["b", "b"]);
        assert_eq!(store.by(&tags(), &"b").unwrap().len(), 2);
        assert_eq!(store.index_keys("tag", "b"), Ok(vec![1, 2]));
        assert_eq!(store.index_values("tag").unwrap(), ["a", "b"]);
        // A replaced item leaves its old values.
        assert_eq!(*store.update(1, vec!["c"]).unwrap(), ["a", "b"]);
        assert_eq!(store.index_values("tag").unwrap(), ["b", "c"]);
        assert_eq!(store.index("tag", &vec!["b", "c"]).unwrap().len(), 2, "the union of both values");
        assert_eq!(store.values("tag", &vec!["x"]).unwrap(), ["x"]);
        assert_eq!((store.len(), store.contains_key(&1), store.contains_key(&3)), (2, true, false));
        assert_eq!(store.delete(&2).map(|item| item.len()), Some(2));
        assert!(store.delete(&2).is_none(), "the second time it is missing");
        assert_eq!(store.index_values("tag").unwrap(), ["c"]);
    }

    #[test]
    fn t1_9_10_indexes_are_added_to_a_filled_store_and_names_are_unique() {
        let store = store();
        store.add(1, vec!["a"]);
        let by_length = Index::new("length", |item: &Vec<&'static str>| [item.len()]);
        store.add_indexes([by_length.clone()]).unwrap();
        assert_eq!(store.by(&by_length, &1).unwrap().len(), 1);
        store.add(2, vec!["a", "b"]);
        assert_eq!(store.by(&by_length, &2).unwrap().len(), 1);
        let other = Index::new("other", |_: &Vec<&'static str>| ["x"]);
        let both = [IndexFunction::from(other), tags().into()];
        assert_eq!(store.add_indexes(both), Err(IndexError::Duplicate("tag".into())));
        assert_eq!(store.index_names(), ["tag", "length"], "none of the two was added");
        assert_eq!(store.by_index("other", "x").unwrap_err(), IndexError::Unknown("other".into()));
        assert_eq!(store.values("other", &vec![]).unwrap_err(), IndexError::Unknown("other".into()));
    }

    #[test]
    fn t1_9_10_replace_and_apply_change_all_at_once() {
        let store = store();
        store.add(1, vec!["old"]);
        store.replace([(2, Arc::new(vec!["a"])), (3, Arc::new(vec!["b"])), (3, Arc::new(vec!["c"]))]);
        assert_eq!(store.index_values("tag").unwrap(), ["a", "c"]);
        store.apply([
            StoreChange::Put(4, Arc::new(vec!["d"])),
            StoreChange::Delete(2),
            StoreChange::Delete(9),
            StoreChange::Put(4, Arc::new(vec!["e"])),
        ]);
        assert_eq!(store.index_values("tag").unwrap(), ["c", "e"]);
        assert_eq!(store.len(), 2);
    }

    #[test]
    fn an_index_function_that_panics_or_reads_the_store() {
        let store = Arc::new(ThreadSafeStore::<u32, u32>::new());
        let reader = Arc::downgrade(&store);
        let fragile = Index::new("fragile", move |item: &u32| {
            let known = reader.upgrade().map_or(0, |store| store.len());
            assert_ne!(*item, 13, "requested by the test");
            [known]
        });
        store.add_indexes([fragile]).unwrap();
        store.add(1, 1);
        store.add(2, 13);
        assert_eq!(store.len(), 2, "stored without values");
        assert_eq!(store.index_values("fragile").unwrap(), ["0"]);
        store.add(2, 2);
        assert_eq!(store.index_keys("fragile", "2"), Ok(vec![2]));
    }

    #[test]
    fn readers_never_see_a_change_in_parts() {
        let store = store();
        store.add(1, vec!["even"]);
        thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..2_000 {
                    store.add(1, if round % 2 == 0 { vec!["odd"] } else { vec!["even"] });
                }
                store.delete(&1);
            });
            scope.spawn(|| {
                loop {
                    let values = store.index_values("tag").unwrap();
                    if values.is_empty() {
                        break;
                    }
                    assert_eq!(values.len(), 1, "the old value is gone when the new one is there");
                }
            });
        });
        assert!(store.is_empty());
    }

    proptest! {
        /// After any changes, the indexes are those of the items.
        #[test]
        fn t1_9_10_indexes_follow_the_items(
            changes in prop::collection::vec((0_u32..6, prop::option::of(prop::collection::vec(0_usize..4, 0..4))), 0..60)
        ) {
            const TAGS: [&str; 4] = ["a", "b", "c", "d"];
            let store = store();
            let mut model = std::collections::BTreeMap::new();
            for (key, tags) in changes {
                match tags {
                    Some(tags) => {
                        let item: Vec<&'static str> = tags.into_iter().map(|tag| TAGS[tag]).collect();
                        store.add(key, item.clone());
                        model.insert(key, item);
                    }
                    None => {
                        prop_assert_eq!(store.delete(&key).is_some(), model.remove(&key).is_some());
                    }
                }
            }
            for tag in TAGS {
                let expected: Vec<u32> =
                    model.iter().filter(|(_, item)| item.contains(&tag)).map(|(key, _)| *key).collect();
                prop_assert_eq!(store.index_keys("tag", tag).unwrap(), expected);
            }
            prop_assert_eq!(store.len(), model.len());
        }
    }
}
