//! [`ExpirationStore`]: objects that expire with age.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client_rs_machinery::hash::HashMap;
use client_rs_machinery::{Object, ObjectKey};

use crate::keyed::KeyFunc;

client_rs_machinery::options! {
    /// The options of an [`ExpirationStore`].
    pub struct ExpirationStoreOptions<K> {
        /// Returns whether an object of this age has expired. See [`ttl`](Self::ttl).
        pub is_expired: ExpirationPolicy<K> => with_is_expired,
        /// The clock. [`ttl`](Self::ttl) uses the monotonic clock of the system.
        pub clock: Box<dyn Fn() -> Instant + Send + Sync> => with_clock,
    }
}

/// Returns whether an object of this age has expired.
pub type ExpirationPolicy<K> = Box<dyn Fn(&K, Duration) -> bool + Send + Sync>;

/// A store whose objects expire with age. With [`keyed`](Self::keyed) it holds items of any type.
///
/// The age of an object counts from its last add. An expired object is removed when it is read or listed, not
/// before: [`list_keys`](Self::list_keys) may still return its key.
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
/// use std::sync::{Arc, Mutex};
/// use std::time::{Duration, Instant};
/// use client_rs_cache::{ExpirationStore, ExpirationStoreOptions};
/// use client_rs_machinery::ObjectKey;
///
/// let now = Arc::new(Mutex::new(Instant::now()));
/// let clock = now.clone();
/// let options = ExpirationStoreOptions::ttl(Duration::from_secs(10))
///     .with_clock(Box::new(move || *clock.lock().unwrap()));
/// let store = ExpirationStore::new(options);
/// store.add(Arc::new(pod("web", 1)));
///
/// let key = ObjectKey::new("default", "web");
/// assert!(store.get(&key).is_some());
/// *now.lock().unwrap() += Duration::from_secs(11);
/// assert!(store.get(&key).is_none(), "expired");
/// ```
pub struct ExpirationStore<K, I = ObjectKey> {
    objects: Mutex<HashMap<I, (Instant, Arc<K>)>>,
    key: KeyFunc<I, K>,
    options: ExpirationStoreOptions<K>,
}

impl<K> ExpirationStoreOptions<K> {
    /// Expires every object that is older than `ttl`. Zero means never.
    pub fn ttl(ttl: Duration) -> Self {
        Self {
            is_expired: Box::new(move |_, age| !ttl.is_zero() && age > ttl),
            clock: Box::new(Instant::now),
        }
    }
}

impl<K: Object> ExpirationStore<K> {
    /// Makes an empty store of objects.
    pub fn new(options: ExpirationStoreOptions<K>) -> Self {
        Self::keyed(Arc::new(Object::key), options)
    }
}

impl<K, I: Hash + Eq + Clone> ExpirationStore<K, I> {
    /// Makes an empty store of items of any type, with a key function.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::time::Duration;
    /// use client_rs_cache::{ExpirationStore, ExpirationStoreOptions};
    ///
    /// let options = ExpirationStoreOptions::ttl(Duration::from_secs(60));
    /// let tokens = ExpirationStore::keyed(Arc::new(|token: &(u32, &'static str)| token.0), options);
    /// tokens.add(Arc::new((7, "secret")));
    /// assert_eq!(tokens.get(&7).unwrap().1, "secret");
    /// ```
    pub fn keyed(key: KeyFunc<I, K>, options: ExpirationStoreOptions<K>) -> Self {
        Self { objects: Mutex::default(), key, options }
    }

    /// Adds an object, replacing one with the same key, and resets its age.
    pub fn add(&self, object: Arc<K>) {
        let now = (self.options.clock)();
        let key = (self.key)(&object);
        let old = self.with(|objects| objects.insert(key, (now, object)));
        drop(old);
    }

    /// The same as [`add`](Self::add).
    pub fn update(&self, object: Arc<K>) {
        self.add(object);
    }

    /// Removes an object and returns it, even if it has expired.
    pub fn delete(&self, key: &I) -> Option<Arc<K>> {
        self.with(|objects| objects.remove(key)).map(|(_, object)| object)
    }

    /// Replaces all objects by these, with the same age.
    pub fn replace(&self, objects: impl IntoIterator<Item = Arc<K>>) {
        let now = (self.options.clock)();
        let new = objects.into_iter().map(|object| ((self.key)(&object), (now, object))).collect();
        let old = self.with(|objects| std::mem::replace(objects, new));
        drop(old);
    }

    /// Returns an object that has not expired.
    pub fn get(&self, key: &I) -> Option<Arc<K>> {
        let now = (self.options.clock)();
        self.with(|objects| {
            let (since, object) = objects.get(key)?;
            if self.is_expired(*since, object, now) {
                objects.remove(key);
                return None;
            }
            Some(object.clone())
        })
    }

    /// Returns all objects that have not expired.
    pub fn list(&self) -> Vec<Arc<K>> {
        let now = (self.options.clock)();
        self.with(|objects| {
            objects.retain(|_, (since, object)| !self.is_expired(*since, object, now));
            objects.values().map(|(_, object)| object.clone()).collect()
        })
    }

    /// Returns the keys of all objects, including expired ones.
    pub fn list_keys(&self) -> Vec<I> {
        self.with(|objects| objects.keys().cloned().collect())
    }

    fn is_expired(&self, since: Instant, object: &K, now: Instant) -> bool {
        (self.options.is_expired)(object, now.saturating_duration_since(since))
    }

    fn with<R>(&self, f: impl FnOnce(&mut HashMap<I, (Instant, Arc<K>)>) -> R) -> R {
        f(&mut self.objects.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<K> fmt::Debug for ExpirationStoreOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExpirationStoreOptions")
    }
}

impl<K, I: Hash + Eq + Clone + fmt::Debug> fmt::Debug for ExpirationStore<K, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ExpirationStore").field(&self.list_keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, thing};

    /// A store of 10 s with a clock that the test moves.
    fn store() -> (ExpirationStore<Thing>, impl Fn(u64)) {
        let now = Arc::new(Mutex::new(Instant::now()));
        let clock = now.clone();
        let options = ExpirationStoreOptions {
            clock: Box::new(move || *clock.lock().unwrap()),
            ..ExpirationStoreOptions::ttl(Duration::from_secs(10))
        };
        (ExpirationStore::new(options), move |seconds| *now.lock().unwrap() += Duration::from_secs(seconds))
    }

    fn key(name: &str) -> ObjectKey {
        ObjectKey::cluster(name)
    }

    #[test]
    fn t1_7_03_expires_when_read_strictly_after_the_ttl() {
        let (store, pass) = store();
        store.add(thing("x", 1).shared());
        pass(10);
        assert!(store.get(&key("x")).is_some(), "10 s are not more than 10 s");
        pass(1);
        assert_eq!(store.list_keys(), [key("x")], "keys of expired objects are listed");
        assert!(store.get(&key("x")).is_none());
        assert!(store.list_keys().is_empty(), "reading removed it");
    }

    #[test]
    fn t1_7_03_adding_again_resets_the_age() {
        let (store, pass) = store();
        store.add(thing("x", 1).shared());
        pass(8);
        store.update(thing("x", 2).shared());
        pass(8);
        assert_eq!(store.get(&key("x")).unwrap().resource_version(), "2");
    }

    #[test]
    fn t1_7_03_a_list_removes_expired_objects() {
        let (store, pass) = store();
        store.replace([thing("a", 1).shared(), thing("b", 1).shared()]);
        pass(6);
        store.add(thing("c", 1).shared());
        assert_eq!(store.list().len(), 3);
        pass(6);
        assert_eq!(store.list().iter().map(|object| object.name().to_owned()).collect::<Vec<_>>(), ["c"]);
        assert_eq!(store.list_keys(), [key("c")]);
        assert!(store.delete(&key("c")).is_some() && store.delete(&key("c")).is_none());
    }

    #[test]
    fn t1_7_03_without_a_ttl_objects_never_expire() {
        let expired = ExpirationStoreOptions::<Thing>::ttl(Duration::ZERO).is_expired;
        assert!(!expired(&thing("x", 1), Duration::MAX));
    }
}
