//! [`Indexer`]: reading a store.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};
use tokio::time::{Instant, timeout_at};

use super::footprint::Footprint;
use super::index::{Index, IndexError, IndexFunction, IndexValue};
use super::layout::Layout;
use super::shared::Shared;
use super::snapshot::Snapshot;
use super::stored::{Found, Held, Stored, kept};
use super::versions::Numeric;
use super::writer::Writer;
use crate::{Coverage, Transform};

client_rs_machinery::options! {
    /// How a store is made.
    #[derive(Debug)]
    pub struct IndexerOptions<K> {
        /// What objects are found by, besides their key. Defaults to the index by namespace alone.
        pub indexes: Vec<IndexFunction<K>> => with_indexes,
        /// What [`Writer::add`] and [`Writer::update`] do to an object first. Defaults to nothing. A store behind a queue
        /// needs none: the queue has transformed what it hands out.
        pub transform: Option<Transform<K>> => with_transform,
        /// Whether deltas arrive in the order in which the server made them, so that the store's version says what it has.
        /// Defaults to true. A `DeltaFifo` does not keep that order: behind one it must be false,
        /// and the version then reads as `""`.
        pub in_order: bool => with_in_order,
        /// How objects are kept. Defaults to decoded.
        pub layout: Layout<K> => with_layout,
    }
}

/// Reading a store: a cheap handle, cloned for everyone who reads.
///
/// - Objects are shared and can't be changed through a reader.
/// - [`get`](Self::get) sees every write that has returned. All else works on a [`Snapshot`]: no lock is held while
///   anyone iterates, and nobody sees a list that is half applied.
/// - A reader never waits for more than one batch of changes in memory, and a writer never for a reader that iterates.
/// - Lists come in no particular order.
/// - There is one [`Writer`], by construction. A reader outlives it and then sees the last state.
///
/// An object costs the store some 40 bytes, plus 15 for each index value that it has: the texts of its key are its own.
/// How the objects themselves are kept is the [`Layout`]'s to say.
pub struct Indexer<K> {
    pub(super) shared: Arc<Shared<K>>,
}

/// Why [`Indexer::at_least`] has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AtLeastError {
    /// This version is not a number, so it can't be compared.
    #[error("resourceVersion {0:?} can't be compared: it is no number")]
    NotNumeric(Str),
    /// The deadline passed first.
    #[error("the cache is at {have:?} and has no version {wanted:?} of {key} yet")]
    Deadline {
        /// The object.
        key: ObjectKey,
        /// The version that was asked for.
        wanted: Str,
        /// The store's version when the deadline passed.
        have: Str,
    },
    /// The cache is new enough, but the object's newest version could not be read.
    #[error("the newest version of {0} could not be read")]
    Stale(ObjectKey),
    /// The store's writer is gone: no newer version will come.
    #[error("the cache has stopped")]
    Closed,
}

impl<K: Object> Indexer<K> {
    /// An empty store: its one writer, and a reader to clone.
    ///
    /// # Panics
    ///
    /// If two of the indexes have the same name.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> (Writer<K>, Self) {
        Self::with_options(IndexerOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(options: IndexerOptions<K>) -> (Writer<K>, Self) {
        let indexer = Self { shared: Arc::new(Shared::new(options.in_order, options.layout)) };
        if let Err(error) = indexer.shared.add_indexes(options.indexes) {
            panic!("{error}");
        }
        (Writer::new(indexer.clone(), options.transform), indexer)
    }

    /// The object with this key.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.find(&key.namespace, &key.name)
    }

    /// The object with this namespace (`""` for the whole cluster) and name.
    pub fn find(&self, namespace: &str, name: &str) -> Option<Arc<K>> {
        let stored = match self.shared.peek(|content| match content.find(namespace, name)? {
            Held::Decoded(object) => Some(Ok(object.clone())),
            packed @ Held::Packed(..) => Some(Err(packed.to_stored())),
        })? {
            Ok(object) => return Some(object),
            Err(stored) => stored,
        };
        // Decoded after the lock.
        stored.object()
    }

    /// The object with this namespace (`""` for the whole cluster) and name, as the store has it: not decoded.
    pub fn stored(&self, namespace: &str, name: &str) -> Option<Stored<K>> {
        self.shared.peek(|content| Some(content.find(namespace, name)?.to_stored()))
    }

    /// Has this called whenever a packed store has packed what a list brought. The first one counts.
    pub(crate) fn on_packed(&self, notify: impl Fn() + Send + Sync + 'static) {
        let _ = self.shared.on_packed.set(Box::new(notify));
    }

    /// What the store takes of memory. Looks at every table: for a state dump now and then. It waits for a write that is
    /// under way, and so must not be called from an index function.
    pub fn footprint(&self) -> Footprint {
        self.shared.footprint()
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.shared.peek(super::content::Content::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects.
    pub fn list(&self) -> Vec<Arc<K>> {
        let content = self.shared.snapshot();
        let mut objects = Vec::with_capacity(content.len());
        content.iter().for_each(|held| objects.extend(held.object().map(Found::into_arc)));
        objects
    }

    /// All keys.
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.snapshot().keys().collect()
    }

    /// The objects that have a value in an index.
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>, IndexError> {
        let content = self.shared.snapshot();
        let found = content.by_index(index, value)?;
        let count = found.len();
        Ok(kept(found, count))
    }

    /// The objects that have a value in an index.
    pub fn by<V: IndexValue>(&self, index: &Index<K, V>, value: &V) -> Result<Vec<Arc<K>>, IndexError> {
        self.by_index(index.name(), &value.to_index())
    }

    /// The objects that share a value in an index with this one, which need not be in the store.
    pub fn index(&self, index: &str, object: &K) -> Result<Vec<Arc<K>>, IndexError> {
        let values = self.values(index, object)?;
        let content = self.shared.snapshot();
        Ok(kept(content.by_values(index, &values)?, 0))
    }

    /// The values that an object has in an index, or would have: it need not be in the store.
    pub fn values(&self, index: &str, object: &K) -> Result<Vec<Str>, IndexError> {
        self.shared.values_of(index, object)
    }

    /// The keys of the objects that have a value in an index, sorted.
    pub fn index_keys(&self, index: &str, value: &str) -> Result<Vec<ObjectKey>, IndexError> {
        let mut keys: Vec<ObjectKey> = self.snapshot().keys_by_index(index, value)?.collect();
        keys.sort_unstable();
        Ok(keys)
    }

    /// All values that at least one object has in an index.
    pub fn index_values(&self, index: &str) -> Result<Vec<Str>, IndexError> {
        Ok(self.snapshot().index_values(index)?.cloned().collect())
    }

    /// The names of the indexes.
    pub fn index_names(&self) -> Vec<Str> {
        self.snapshot().index_names().cloned().collect()
    }

    /// Adds indexes, also to a store in use: writes wait while the index functions run over every object, reads do not.
    /// Either all are added or none.
    pub fn add_indexes<I: Into<IndexFunction<K>>>(
        &self,
        indexes: impl IntoIterator<Item = I>,
    ) -> Result<(), IndexError> {
        self.shared.add_indexes(indexes.into_iter().map(Into::into).collect())
    }

    /// How often an index function panicked. Each time an object is stored without its values in that index.
    pub fn index_panics(&self) -> u64 {
        self.shared.panics()
    }

    /// The store as it is now.
    pub fn snapshot(&self) -> Snapshot<K> {
        Snapshot::new(self.shared.snapshot(), self.shared.in_order)
    }

    /// The version up to which the store has everything; `""` before the first list, if deltas do not come in order, and
    /// in a store that is filled by namespace.
    pub fn resource_version(&self) -> Str {
        self.shared.resource_version(&Coverage::All)
    }

    /// The version up to which the store has everything of a part.
    pub fn resource_version_of(&self, coverage: &Coverage) -> Str {
        self.shared.resource_version(coverage)
    }

    /// The version of the object that the server has and that could not be read, if there is one. What the store has is
    /// then older.
    pub fn stale(&self, key: &ObjectKey) -> Option<Str> {
        self.shared.stale_version(key)
    }

    /// Waits until the store is as new as a version that a write returned, and gives what it has of the object then:
    /// that version or a newer one, or nothing if the store has no such object any more. Then it has been deleted since; or,
    /// in a store that is filled with a selector (or a transform, a shard, some namespaces), it lives and does not belong
    /// to what the store holds. Only the server can tell the two apart.
    ///
    /// New enough is a store that has this object at that version, or whose own version is there. In a store that is
    /// filled by namespace it is the version of the object's namespace. A version says nothing about other resources.
    ///
    /// Cancel safe; costs nothing if the store is new enough already.
    pub async fn at_least(
        &self,
        key: &ObjectKey,
        resource_version: &str,
        deadline: Instant,
    ) -> Result<Option<Arc<K>>, AtLeastError> {
        let wanted = Numeric::parse(resource_version)
            .ok_or_else(|| AtLeastError::NotNumeric(resource_version.into()))?;
        match timeout_at(deadline, self.arrival(key, &wanted)).await {
            Ok(answer) => answer,
            Err(_) => Err(AtLeastError::Deadline {
                key: key.clone(),
                wanted: resource_version.into(),
                have: self.shared.resource_version(&Coverage::Namespace(key.namespace.clone())),
            }),
        }
    }

    /// Waits until the store is new enough, however long that takes.
    pub(crate) async fn arrival(
        &self,
        key: &ObjectKey,
        wanted: &Numeric,
    ) -> Result<Option<Arc<K>>, AtLeastError> {
        loop {
            if let Some(answer) = self.look(key, wanted) {
                return answer;
            }
            let coverage = self.shared.peek(|content| content.versions.coverage(&key.namespace));
            let Some(waiter) = self.shared.waiters.join(coverage, wanted.clone()) else {
                return Err(AtLeastError::Closed);
            };
            // A write may have come between the look and the waiter.
            if let Some(answer) = self.look(key, wanted) {
                return answer;
            }
            waiter.wait().await;
        }
    }

    /// The answer, if the store is new enough to give one.
    fn look(&self, key: &ObjectKey, wanted: &Numeric) -> Option<Result<Option<Arc<K>>, AtLeastError>> {
        let found = self.shared.peek(|content| {
            let object = content.find(&key.namespace, &key.name);
            if let Some(object) = &object {
                let has = object.resource_version();
                match Numeric::parse(has) {
                    Some(has) if has >= *wanted => return Some(Ok(Some(object.to_stored()))),
                    None if !has.is_empty() => return Some(Err(AtLeastError::NotNumeric(has.into()))),
                    _ => {}
                }
            }
            let version = content.versions.of(&key.namespace);
            if !self.shared.in_order || version.is_empty() {
                return None;
            }
            match Numeric::parse(version) {
                None => Some(Err(AtLeastError::NotNumeric(version.clone()))),
                Some(version) if version < *wanted => None,
                Some(_) if content.stale.contains_key(key) => Some(Err(AtLeastError::Stale(key.clone()))),
                Some(_) => Some(Ok(object.map(|object| object.to_stored()))),
            }
        });
        // Decoded after the lock.
        found.map(|found| found.map(|stored| stored.and_then(|stored| stored.object())))
    }
}

impl<K: Object> Default for IndexerOptions<K> {
    fn default() -> Self {
        Self {
            indexes: vec![Index::namespace().into()],
            transform: None,
            in_order: true,
            layout: Layout::default(),
        }
    }
}

impl<K> Clone for Indexer<K> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone() }
    }
}

impl<K: Object> fmt::Debug for Indexer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.snapshot(), f)
    }
}
