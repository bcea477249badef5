//! [`Indexer`]: the reader of a store.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str, canary};
use tokio::time::{Instant, timeout_at};

use super::content::Content;
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
    /// The options of a store; see [`Indexer::with_options`].
    #[derive(Debug)]
    pub struct IndexerOptions<K> {
        /// The indexes of the store, in addition to the key. Default: the index by namespace alone.
        pub indexes: Vec<IndexFunction<K>> => with_indexes,
        /// Applied to each object by [`Writer::add`] and [`Writer::update`]. Default: unset. A store behind a
        /// queue needs none: the queue has already transformed the objects.
        pub transform: Option<Transform<K>> => with_transform,
        /// Whether deltas arrive in the order of the server, so that the version of the store is meaningful.
        /// Default: true. Set it to false behind a `DeltaFifo`, which does not keep that order; the version
        /// then reads as `""`.
        pub in_order: bool => with_in_order,
        /// How objects are stored. Default: decoded.
        pub layout: Layout<K> => with_layout,
    }
}

/// The reader of a store: a cheap handle. Clone it for every reader.
///
/// An informer fills the store and hands out the indexer. Use a [`Lister`](crate::Lister) instead where "not
/// found" should be an error, as from a client.
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
/// use client_rs_cache::{Index, Indexer, IndexerOptions};
/// use client_rs_machinery::{Object, Str};
///
/// let by_app = Index::new("app", |pod: &PartialObjectMetadata| pod.label("app").map(Str::from));
/// let options = IndexerOptions::default().with_indexes([by_app.clone().into()]);
/// let (mut writer, indexer) = Indexer::with_options(options);
///
/// let mut web = pod("web", 1);
/// web.metadata.labels.insert("app", "shop".into());
/// writer.add(web)?;
/// writer.add(pod("db", 2))?;
///
/// assert!(indexer.find("default", "db").is_some());
/// assert_eq!(indexer.by(&by_app, &"shop".into())?[0].name(), "web");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// - Objects are shared and cannot be changed through a reader.
/// - **Consistency**: [`get`](Self::get) sees every write that has returned. All other reads work on a
///   [`Snapshot`]: no lock is held while a caller iterates, and no caller sees a list that is half applied.
/// - **Blocking**: a reader waits for at most one batch of changes in memory. A writer never waits for a reader
///   that iterates.
/// - **Order**: lists come in no particular order.
/// - There is one [`Writer`], by construction. A reader outlives it and then sees the last state.
/// - **Memory**: an object costs the store some 40 bytes, plus 15 for each of its index values; the key shares
///   the texts of the object. The [`Layout`] decides how the objects themselves are stored.
pub struct Indexer<K> {
    pub(super) shared: Arc<Shared<K>>,
}

/// The error of [`Indexer::at_least`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AtLeastError {
    /// This version is not a number, so it cannot be compared.
    #[error("resourceVersion {0:?} is not a number, so it can't be compared")]
    NotNumeric(Str),
    /// The deadline passed first.
    #[error("the cache is at {have:?} and has no version {wanted:?} of {key} yet")]
    Deadline {
        /// The object.
        key: ObjectKey,
        /// The requested version.
        wanted: Str,
        /// The store's version when the deadline passed.
        have: Str,
    },
    /// The cache is new enough, but the newest version of the object could not be read.
    #[error("the newest version of {0} could not be read")]
    Stale(ObjectKey),
    /// The writer of the store was dropped: no newer version will come.
    #[error("the cache has stopped")]
    Closed,
}

impl<K: Object> Indexer<K> {
    /// Makes an empty store: its one writer, and a reader to clone.
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
    /// # use client_rs_cache::Indexer;
    /// let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// assert_eq!((indexer.len(), indexer.clone().len()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If two of the indexes have the same name.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> (Writer<K>, Self) {
        Self::with_options(IndexerOptions::default())
    }

    /// Makes an empty store like [`new`](Self::new), with options.
    pub fn with_options(options: IndexerOptions<K>) -> (Writer<K>, Self) {
        let indexer = Self { shared: Arc::new(Shared::new(options.in_order, options.layout)) };
        if let Err(error) = indexer.shared.add_indexes(options.indexes) {
            panic!("{error}");
        }
        (Writer::new(indexer.clone(), options.transform), indexer)
    }

    /// Returns the object with this key.
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
    /// # use client_rs_cache::Indexer;
    /// # use client_rs_machinery::ObjectKey;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// assert!(indexer.get(&ObjectKey::new("default", "web")).is_some());
    /// assert!(indexer.get(&ObjectKey::new("other", "web")).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.find(&key.namespace, &key.name)
    }

    /// Returns the object with this namespace (`""` for a cluster-scoped object) and name.
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
    /// # use client_rs_cache::Indexer;
    /// # use client_rs_machinery::Object;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 5))?;
    /// assert_eq!(indexer.find("default", "web").unwrap().resource_version(), "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, namespace: &str, name: &str) -> Option<Arc<K>> {
        self.shared.first_list.on_read();
        let stored = match self.shared.peek(|content| match content.find(namespace, name)? {
            Held::Decoded(object) => Some(Ok(object.clone())),
            packed @ Held::Packed(..) => Some(Err(packed.to_stored())),
        })? {
            Ok(object) => return Some(object),
            Err(stored) => stored,
        };
        // Decode outside the lock.
        stored.object()
    }

    /// Returns the object in its stored form, without decoding it. Takes namespace (`""` for a cluster-scoped
    /// object) and name.
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
    /// # use client_rs_cache::Indexer;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 5))?;
    /// let stored = indexer.stored("default", "web").unwrap();
    /// assert_eq!(stored.resource_version(), "5");
    /// assert_eq!(stored.object().unwrap().metadata.name, "web");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stored(&self, namespace: &str, name: &str) -> Option<Stored<K>> {
        self.shared.peek(|content| Some(content.find(namespace, name)?.to_stored()))
    }

    /// Whether the first object has a namespace. `None` without objects. Not a read that counts: it follows one.
    pub(crate) fn is_namespaced(&self) -> Option<bool> {
        self.shared.peek(|content| content.keys().next().map(|key| !key.namespace.is_empty()))
    }

    /// Returns the newest content, for a reader.
    fn content(&self) -> Arc<Content<K>> {
        self.shared.first_list.on_read();
        self.shared.snapshot()
    }

    /// The store waits for the first list of this informer. Reads in the meantime are reported to their task's
    /// [observer](crate::observe_reads).
    pub(crate) fn await_first_list(&self, informer: &str) {
        self.shared.first_list.await_for(informer);
    }

    /// The first list is in the store, with all of its parts.
    pub(crate) fn first_list_arrived(&self) {
        self.shared.first_list.arrived();
    }

    /// Sets a function that a packed store calls after it has packed the objects of a list. Only the first call counts.
    pub(crate) fn on_packed(&self, notify: impl Fn() + Send + Sync + 'static) {
        let _ = self.shared.on_packed.set(Box::new(notify));
    }

    /// Returns the memory use of the store. It reads every table: call it now and then, for a state dump. It
    /// waits for a write in progress, so an index function must not call it.
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
    /// # use client_rs_cache::Indexer;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// let footprint = indexer.footprint();
    /// assert_eq!((footprint.layout, footprint.objects), ("decoded", 1));
    /// assert!(footprint.table_bytes > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn footprint(&self) -> Footprint {
        self.shared.footprint()
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.shared.peek(Content::len)
    }

    /// Returns whether the store has no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all objects, in no particular order.
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
    /// # use client_rs_cache::Indexer;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// writer.add(pod("db", 2))?;
    /// assert_eq!(indexer.list().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self) -> Vec<Arc<K>> {
        let content = self.content();
        let mut objects = Vec::with_capacity(content.len());
        content.iter().for_each(|held| objects.extend(held.object().map(Found::into_arc)));
        objects
    }

    /// Returns all keys, in no particular order. Decodes nothing.
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.snapshot().keys().collect()
    }

    /// Returns the objects that have a value in an index. An unknown index is an error.
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
    /// # use client_rs_cache::Indexer;
    /// # use client_rs_cache::store::{IndexError, NAMESPACE_INDEX};
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// assert_eq!(indexer.by_index(NAMESPACE_INDEX, "default")?.len(), 1);
    /// assert_eq!(indexer.by_index("color", "red").unwrap_err(), IndexError::Unknown("color".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>, IndexError> {
        let content = self.content();
        let found = content.by_index(index, value)?;
        let count = found.len();
        Ok(kept(found, count))
    }

    /// Returns the objects that have a value in an index, with the type of the values checked by the compiler.
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
    /// # use client_rs_cache::{Index, Indexer};
    /// # let (mut writer, indexer) = Indexer::new();
    /// let by_generation = Index::new("generation", |pod: &PartialObjectMetadata| [pod.metadata.generation]);
    /// indexer.add_indexes([by_generation.clone()])?;
    /// writer.add(pod("web", 1))?;
    /// assert_eq!(indexer.by(&by_generation, &0)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by<V: IndexValue>(&self, index: &Index<K, V>, value: &V) -> Result<Vec<Arc<K>>, IndexError> {
        self.by_index(index.name(), &value.to_index())
    }

    /// Returns the objects that share a value in an index with this object. The object itself need not be in
    /// the store.
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
    /// # use client_rs_cache::Indexer;
    /// # use client_rs_cache::store::NAMESPACE_INDEX;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// let neighbours = indexer.index(NAMESPACE_INDEX, &pod("new", 9))?;
    /// assert_eq!(neighbours.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn index(&self, index: &str, object: &K) -> Result<Vec<Arc<K>>, IndexError> {
        let values = self.values(index, object)?;
        let content = self.content();
        Ok(kept(content.by_values(index, &values)?, 0))
    }

    /// Returns the values of an object in an index. The object need not be in the store.
    pub fn values(&self, index: &str, object: &K) -> Result<Vec<Str>, IndexError> {
        self.shared.values_of(index, object)
    }

    /// Returns the keys of the objects that have a value in an index, sorted.
    pub fn index_keys(&self, index: &str, value: &str) -> Result<Vec<ObjectKey>, IndexError> {
        let mut keys: Vec<ObjectKey> = self.snapshot().keys_by_index(index, value)?.collect();
        keys.sort_unstable();
        Ok(keys)
    }

    /// Returns all values of an index that at least one object has.
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
    /// # use client_rs_cache::Indexer;
    /// # use client_rs_cache::store::NAMESPACE_INDEX;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// assert_eq!(indexer.index_values(NAMESPACE_INDEX)?, ["default"]);
    /// assert_eq!(indexer.index_names(), [NAMESPACE_INDEX]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn index_values(&self, index: &str) -> Result<Vec<Str>, IndexError> {
        Ok(self.snapshot().index_values(index)?.cloned().collect())
    }

    /// Returns the names of the indexes.
    pub fn index_names(&self) -> Vec<Str> {
        self.snapshot().index_names().cloned().collect()
    }

    /// Adds indexes, also to a store in use. Writes wait while the index functions run over every object; reads
    /// do not. Adds all indexes or none: a name that exists is an error.
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
    /// # use client_rs_cache::{Index, Indexer};
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// let by_name = Index::new("name", |pod: &PartialObjectMetadata| [pod.metadata.name.clone()]);
    /// indexer.add_indexes([by_name.clone()])?;
    /// assert_eq!(indexer.by_index("name", "web")?.len(), 1, "existing objects are indexed");
    /// assert!(indexer.add_indexes([by_name]).is_err(), "it exists");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_indexes<I: Into<IndexFunction<K>>>(
        &self,
        indexes: impl IntoIterator<Item = I>,
    ) -> Result<(), IndexError> {
        self.shared.add_indexes(indexes.into_iter().map(Into::into).collect())
    }

    /// Returns how often an index function panicked. Each time, the store keeps the object without values in
    /// that index.
    pub fn index_panics(&self) -> u64 {
        self.shared.panics()
    }

    /// Returns the store as it is now; later writes do not change it.
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
    /// # use client_rs_cache::Indexer;
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 1))?;
    /// let snapshot = indexer.snapshot();
    /// writer.add(pod("db", 2))?;
    /// assert_eq!((snapshot.len(), indexer.len()), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Snapshot<K> {
        Snapshot::new(self.content(), self.shared.in_order)
    }

    /// Returns the version up to which the store has everything. It is `""` before the first list, without
    /// [`in_order`](IndexerOptions::in_order), and in a store that is filled by namespace.
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
    /// # use std::sync::Arc;
    /// # use client_rs_cache::{Indexer, Replacement};
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.replace(Replacement::new(vec![Arc::new(pod("web", 3))], "7"));
    /// assert_eq!(indexer.resource_version(), "7", "the version of the list");
    /// writer.add(pod("db", 9))?;
    /// assert_eq!(indexer.resource_version(), "9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resource_version(&self) -> Str {
        self.shared.resource_version(&Coverage::All)
    }

    /// Returns the version up to which the store has everything of a part.
    pub fn resource_version_of(&self, coverage: &Coverage) -> Str {
        self.shared.resource_version(coverage)
    }

    /// Returns the version of the newest list or change of each part of the store that has one: what its readers
    /// can have seen. Unlike [`resource_version`](Self::resource_version) it does not grow with bookmarks.
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
    /// # use client_rs_cache::{Coverage, Indexer};
    /// # let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod("web", 7))?;
    /// assert_eq!(indexer.changed_versions(), [(Coverage::All, "7".into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changed_versions(&self) -> Vec<(Coverage, Str)> {
        self.shared.changed_versions()
    }

    /// Waits until the store has everything of a part up to a version. Returns false if that can't be known: the
    /// writer of the store was dropped, or the versions are not numbers. Cancel-safe.
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
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_cache::{Coverage, Indexer};
    /// let (mut writer, indexer) = Indexer::new();
    /// let wait = indexer.reaches(&Coverage::All, "7");
    /// let (reached, _) = tokio::join!(wait, async { writer.add(pod("web", 7)) });
    /// assert!(reached);
    /// # }
    /// ```
    pub async fn reaches(&self, part: &Coverage, resource_version: &str) -> bool {
        let Some(wanted) = Numeric::parse(resource_version) else { return false };
        loop {
            if let Some(reached) = self.has_reached(part, &wanted) {
                return reached;
            }
            let part = match part {
                Coverage::All => Coverage::All,
                Coverage::Namespace(name) => self.shared.peek(|content| content.versions.coverage(name)),
            };
            let Some(waiter) = self.shared.waiters.join(part.clone(), wanted.clone()) else { return false };
            // A write may have come between the first look and the registration.
            if let Some(reached) = self.has_reached(&part, &wanted) {
                return reached;
            }
            waiter.wait().await;
        }
    }

    fn has_reached(&self, part: &Coverage, wanted: &Numeric) -> Option<bool> {
        if !self.shared.in_order {
            return Some(false);
        }
        let version = self.resource_version_of(part);
        if version.is_empty() {
            return None;
        }
        match Numeric::parse(&version) {
            None => Some(false),
            Some(version) => (version >= *wanted).then_some(true),
        }
    }

    /// Returns the version of the object that the server has and that could not be read, if there is one. The
    /// store then has an older version.
    pub fn stale(&self, key: &ObjectKey) -> Option<Str> {
        self.shared.stale_version(key)
    }

    /// Waits until the store is as new as a version that a write returned. Returns the object as the store has
    /// it then: at that version or a newer one, or `None` if the store no longer has it.
    ///
    /// `None` means that the object was deleted since. In a store that is filled with a selector (or a
    /// transform, a shard, some namespaces) it may also mean that the object exists and no longer belongs to
    /// the content of the store. Only the server can distinguish the two.
    ///
    /// A store is new enough if it has this object at that version, or if its own version has reached it. In a
    /// store that is filled by namespace the version of the object's namespace counts. Versions of different
    /// resources cannot be compared.
    ///
    /// Cancel-safe. Costs nothing if the store is already new enough.
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
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    /// use client_rs_cache::Indexer;
    /// use client_rs_machinery::{Object, ObjectKey};
    /// use tokio::time::Instant;
    ///
    /// let (mut writer, indexer) = Indexer::new();
    /// let (key, deadline) = (ObjectKey::new("default", "web"), Instant::now() + Duration::from_secs(5));
    /// let wait = indexer.at_least(&key, "7", deadline);
    /// let (found, _) = tokio::join!(wait, async { writer.add(pod("web", 7)) });
    /// assert_eq!(found?.unwrap().resource_version(), "7");
    /// # Ok(())
    /// # }
    /// ```
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

    /// Waits until the store is new enough, without a deadline.
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
            // A write may have come between the first look and the registration.
            if let Some(answer) = self.look(key, wanted) {
                return answer;
            }
            waiter.wait().await;
        }
    }

    /// Returns the answer if the store is new enough.
    fn look(&self, key: &ObjectKey, wanted: &Numeric) -> Option<Result<Option<Arc<K>>, AtLeastError>> {
        let found = self.shared.peek(|content| {
            let object = content.find(&key.namespace, &key.name);
            if let Some(object) = &object {
                let has = object.resource_version();
                match Numeric::parse(has) {
                    // After a restore of the server, the version that could not be read may be the lower one: then the
                    // object is one of before.
                    Some(has)
                        if has >= *wanted
                            && content
                                .stale
                                .get(key)
                                .and_then(|stale| Numeric::parse(stale))
                                .is_none_or(|stale| stale > has) =>
                    {
                        return Some(Ok(Some(object.to_stored())));
                    }
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
                Some(_) if content.stale.contains_key(key) && !canary!(19) => {
                    Some(Err(AtLeastError::Stale(key.clone())))
                }
                Some(_) => Some(Ok(object.map(|object| object.to_stored()))),
            }
        });
        // Decode outside the lock.
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
