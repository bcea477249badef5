//! [`MutationCache`]: the writes of a caller, until the cache has them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client_rs_machinery::{Metadata, Object, ObjectKey, Str};

use crate::Indexer;
use crate::store::IndexError;
use crate::store::versions::Numeric;

client_rs_machinery::options! {
    /// The options of a [`MutationCache`].
    pub struct MutationCacheOptions {
        /// The largest number of objects; the least recently used one is dropped first. Default: 100.
        pub capacity: usize => with_capacity,
        /// How long it keeps an object. Default: 5 minutes.
        pub ttl: Duration => with_ttl,
        /// Whether reads also return objects that the store does not have yet. Default: false.
        pub include_adds: bool => with_include_adds,
        /// The clock. Default: the monotonic clock of the system.
        pub clock: Box<dyn Fn() -> Instant + Send + Sync> => with_clock,
    }
}

/// Overlays a store with the objects that a caller has just written and that the store does not have yet.
///
/// A read returns the newer of the two, by resourceVersion as a number. A version that is not a number loses
/// against the store. Use it in a controller that reads its own writes right away. [`Indexer::at_least`] waits
/// for the store instead, and needs no second copy.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// use std::sync::Arc;
/// use client_rs_cache::{Indexer, MutationCache, MutationCacheOptions};
/// use client_rs_machinery::{Object, ObjectKey};
///
/// let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 4))?;
/// let cache = MutationCache::new(indexer, MutationCacheOptions::default());
/// let key = ObjectKey::new("default", "web");
///
/// cache.mutation(Arc::new(pod("web", 5)));
/// assert_eq!(cache.get(&key).unwrap().resource_version(), "5", "the response to the write");
/// writer.update(pod("web", 9))?;
/// assert_eq!(cache.get(&key).unwrap().resource_version(), "9", "the store has caught up");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Call [`on_add_or_update`](Self::on_add_or_update) and [`on_delete`](Self::on_delete) from a handler of the
/// store. Without that it drops objects only by age and number.
pub struct MutationCache<K> {
    store: Indexer<K>,
    options: MutationCacheOptions,
    entries: Mutex<Vec<Entry<K>>>,
}

struct Entry<K> {
    key: ObjectKey,
    /// `None` for never.
    expires: Option<Instant>,
    what: What<K>,
}

enum What<K> {
    Written(Arc<K>),
    /// The object was deleted: a write that is reported late must not revive it.
    Deleted(Arc<K>),
}

impl<K: Object> MutationCache<K> {
    /// Makes a cache without writes over this store.
    pub fn new(store: Indexer<K>, options: MutationCacheOptions) -> Self {
        Self { store, options, entries: Mutex::default() }
    }

    /// Records a write of the caller: the object is the response of the server.
    pub fn mutation(&self, object: Arc<K>) {
        let key = object.key();
        self.with(|entries| {
            if let Some(Entry { what: What::Deleted(dead), .. }) = find(entries, &key)
                && (dead.uid() == object.uid() || !is_newer(object.meta(), dead.meta()))
            {
                return;
            }
            self.put(entries, key, What::Written(object));
        });
    }

    /// Returns the newer of the written object and that of the store.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        let stored = self.store.get(key);
        if stored.is_none() && !self.options.include_adds {
            return None;
        }
        self.with(|entries| newer(entries, key, stored))
    }

    /// Returns the objects that have a value in an index of the store, each as [`get`](Self::get) returns it. A
    /// written object is found only by its new values.
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>, IndexError> {
        let snapshot = self.store.snapshot();
        let mut found = Vec::new();
        let written: Vec<Arc<K>> = self.with(|entries| {
            found.extend(snapshot.by_index(index, value)?.map(|object| {
                let key = object.key();
                newer(entries, &key, Some(object.clone())).unwrap_or_else(|| object.clone())
            }));
            let written = entries.iter().filter_map(|entry| match &entry.what {
                What::Written(object) => Some(object.clone()),
                What::Deleted(_) => None,
            });
            Ok(written.collect())
        })?;
        let has_value = |object: &K| {
            self.store.values(index, object).is_ok_and(|values| values.iter().any(|known| known == value))
        };
        // A written object may have lost the value, or gained it.
        found.retain(|object| !written.iter().any(|new| Arc::ptr_eq(new, object)) || has_value(object));
        for object in written {
            let known = self.options.include_adds || snapshot.get(&object.key()).is_some();
            if known && has_value(&object) && !found.iter().any(|other| other.key() == object.key()) {
                found.push(object);
            }
        }
        Ok(found)
    }

    /// Records that the store has this object now: drops the written one unless it is newer.
    pub fn on_add_or_update(&self, object: &K) {
        let key = object.key();
        self.with(|entries| {
            entries.retain(|entry| {
                entry.key != key
                    || match &entry.what {
                        What::Written(written) => is_newer(written.meta(), object.meta()),
                        // A new object of this name is alive.
                        What::Deleted(dead) => dead.uid() == object.uid(),
                    }
            });
        });
    }

    /// Records a deletion from the store: drops the written object, also if the write is reported later.
    pub fn on_delete(&self, object: Arc<K>) {
        let key = object.key();
        self.with(|entries| {
            let keep = match find(entries, &key) {
                Some(Entry { what: What::Written(written), .. }) => {
                    written.uid() != object.uid() && is_newer(written.meta(), object.meta())
                }
                _ => false,
            };
            if !keep {
                self.put(entries, key, What::Deleted(object));
            }
        });
    }

    /// Runs a function on the entries that have not expired.
    fn with<R>(&self, f: impl FnOnce(&mut Vec<Entry<K>>) -> R) -> R {
        let now = (self.options.clock)();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.expires.is_none_or(|expires| expires > now));
        f(&mut entries)
    }

    fn put(&self, entries: &mut Vec<Entry<K>>, key: ObjectKey, what: What<K>) {
        entries.retain(|entry| entry.key != key);
        if entries.len() >= self.options.capacity.max(1) {
            entries.remove(0);
        }
        entries.push(Entry { key, expires: (self.options.clock)().checked_add(self.options.ttl), what });
    }
}

/// Returns the entry of a key and marks it as the most recently used.
fn find<'a, K>(entries: &'a mut Vec<Entry<K>>, key: &ObjectKey) -> Option<&'a Entry<K>> {
    let at = entries.iter().position(|entry| entry.key == *key)?;
    let entry = entries.remove(at);
    entries.push(entry);
    entries.last()
}

fn newer<K: Object>(entries: &mut Vec<Entry<K>>, key: &ObjectKey, stored: Option<Arc<K>>) -> Option<Arc<K>> {
    let Some(Entry { what: What::Written(written), .. }) = find(entries, key) else { return stored };
    match stored {
        Some(stored) if !is_newer(written.meta(), stored.meta()) => {
            // The store has caught up.
            entries.pop();
            Some(stored)
        }
        _ => Some(written.clone()),
    }
}

fn is_newer(a: &dyn Metadata, b: &dyn Metadata) -> bool {
    match (Numeric::parse(a.resource_version()), Numeric::parse(b.resource_version())) {
        (Some(a), Some(b)) => a > b,
        _ => false,
    }
}

impl Default for MutationCacheOptions {
    fn default() -> Self {
        Self {
            capacity: 100,
            ttl: Duration::from_mins(5),
            include_adds: false,
            clock: Box::new(Instant::now),
        }
    }
}

impl fmt::Debug for MutationCacheOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MutationCacheOptions")
            .field("capacity", &self.capacity)
            .field("ttl", &self.ttl)
            .field("include_adds", &self.include_adds)
            .finish_non_exhaustive()
    }
}

impl<K: Object> fmt::Debug for MutationCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<Str> =
            self.with(|entries| entries.iter().map(|entry| entry.key.name.clone()).collect());
        f.debug_tuple("MutationCache").field(&keys).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, thing};
    use crate::{Index, Writer};

    fn cache(options: MutationCacheOptions) -> (Writer<Thing>, MutationCache<Thing>) {
        let (writer, indexer) = Indexer::new();
        indexer.add_indexes([Index::new("tags", |object: &Thing| object.tags.clone())]).unwrap();
        (writer, MutationCache::new(indexer, options))
    }

    fn with_uid(uid: &str, mut object: Thing) -> Thing {
        object.metadata.uid = uid.into();
        object
    }

    fn version(cache: &MutationCache<Thing>) -> Option<String> {
        cache.get(&ObjectKey::cluster("x")).map(|object| object.resource_version().to_owned())
    }

    #[test]
    fn t1_13_02_a_read_returns_the_newer_of_both() {
        let (mut writer, cache) = cache(MutationCacheOptions::default());
        cache.mutation(thing("x", 5).shared());
        assert_eq!(version(&cache), None, "adds are not included");
        writer.add(thing("x", 4)).unwrap();
        assert_eq!(version(&cache).as_deref(), Some("5"));
        writer.update(thing("x", 10)).unwrap();
        assert_eq!(version(&cache).as_deref(), Some("10"));
        let mut odd = thing("x", 1);
        odd.metadata.resource_version = "odd".into();
        cache.mutation(odd.shared());
        assert_eq!(version(&cache).as_deref(), Some("10"), "a version that does not compare loses");
    }

    #[test]
    fn t1_13_02_an_update_drops_a_write_that_is_not_newer() {
        let (mut writer, cache) = cache(MutationCacheOptions { include_adds: true, ..Default::default() });
        cache.mutation(thing("x", 5).shared());
        assert_eq!(version(&cache).as_deref(), Some("5"), "adds are included");
        cache.on_add_or_update(&thing("x", 4));
        assert_eq!(version(&cache).as_deref(), Some("5"));
        cache.on_add_or_update(&thing("x", 5));
        assert_eq!(version(&cache), None);
        writer.add(thing("x", 5)).unwrap();
        assert_eq!(version(&cache).as_deref(), Some("5"));
    }

    #[test]
    fn t1_13_02_a_deletion_drops_a_write_also_if_the_write_is_reported_late() {
        let (_writer, cache) = cache(MutationCacheOptions { include_adds: true, ..Default::default() });
        cache.mutation(with_uid("1", thing("x", 5)).shared());
        cache.on_delete(with_uid("1", thing("x", 6)).shared());
        assert_eq!(version(&cache), None);
        cache.mutation(with_uid("1", thing("x", 7)).shared());
        assert_eq!(version(&cache), None, "the same object, reported late");
        cache.mutation(with_uid("2", thing("x", 6)).shared());
        assert_eq!(version(&cache), None, "not newer than the deletion");
        cache.mutation(with_uid("2", thing("x", 8)).shared());
        assert_eq!(version(&cache).as_deref(), Some("8"), "a new object of that name");
        cache.on_delete(with_uid("1", thing("x", 7)).shared());
        assert_eq!(version(&cache).as_deref(), Some("8"), "the deletion of the old object, reported late");
    }

    #[test]
    fn t1_13_02_entries_expire_by_age_and_by_number() {
        let now = Arc::new(Mutex::new(Instant::now()));
        let clock = now.clone();
        let options = MutationCacheOptions {
            capacity: 2,
            ttl: Duration::from_secs(10),
            include_adds: true,
            clock: Box::new(move || *clock.lock().unwrap()),
        };
        let (_writer, cache) = cache(options);
        let get = |name: &str| cache.get(&ObjectKey::cluster(name)).is_some();
        cache.mutation(thing("a", 1).shared());
        cache.mutation(thing("b", 1).shared());
        assert!(get("a"));
        cache.mutation(thing("c", 1).shared());
        assert!(get("a") && get("c") && !get("b"), "the least recently used one is dropped");
        *now.lock().unwrap() += Duration::from_secs(10);
        assert!(!get("a") && !get("c"));
    }

    #[test]
    fn finds_written_objects_by_their_new_values() {
        for include_adds in [false, true] {
            let (mut writer, cache) = cache(MutationCacheOptions { include_adds, ..Default::default() });
            writer.add(thing("x", 1).tagged(&["red"])).unwrap();
            writer.add(thing("y", 1).tagged(&["red"])).unwrap();
            cache.mutation(thing("x", 2).tagged(&["blue"]).shared());
            cache.mutation(thing("z", 3).tagged(&["red"]).shared());
            let found = |value: &str| {
                let mut names: Vec<String> = cache
                    .by_index("tags", value)
                    .unwrap()
                    .iter()
                    .map(|object| object.name().to_owned())
                    .collect();
                names.sort();
                names.join(" ")
            };
            assert_eq!(
                (found("red").as_str(), found("blue").as_str()),
                (if include_adds { "y z" } else { "y" }, "x")
            );
            assert!(cache.by_index("none", "").is_err());
        }
    }
}
