//! A store as it was at one moment.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Object, ObjectKey, Str};

use super::content::Content;
use super::index::{Index, IndexError, IndexValue};
use super::stored::{Found, Stored};
use crate::Coverage;

/// A store as it was when the snapshot was taken. It is consistent, and no later write changes it.
///
/// Use it for several reads that must agree with each other, or to iterate without copying. For one object,
/// [`Indexer::get`](super::Indexer::get) is enough.
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
/// use client_rs_cache::Indexer;
/// use client_rs_machinery::{Object, labels::Selector};
///
/// let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 1))?;
/// writer.add(pod("db", 2))?;
/// let snapshot = indexer.snapshot();
/// drop(writer);
/// assert_eq!(snapshot.iter().count(), snapshot.len());
/// assert_eq!(snapshot.find("default", "db").unwrap().name(), "db");
/// assert_eq!(snapshot.select(&Selector::everything()).count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// - **Cost**: that of cloning an `Arc`, at any size. It holds no lock.
/// - **Memory**: while it lives, writes copy the parts that they change (a few kilobytes each at most), and
///   objects that have left the store stay in memory. Drop it when done.
pub struct Snapshot<K> {
    content: Arc<Content<K>>,
    in_order: bool,
}

impl<K: Object> Snapshot<K> {
    pub(super) fn new(content: Arc<Content<K>>, in_order: bool) -> Self {
        Self { content, in_order }
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        self.content.len()
    }

    /// Returns whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the object with this key.
    pub fn get(&self, key: &ObjectKey) -> Option<Found<'_, K>> {
        self.find(&key.namespace, &key.name)
    }

    /// Returns the object with this namespace (`""` for a cluster-scoped object) and name.
    pub fn find(&self, namespace: &str, name: &str) -> Option<Found<'_, K>> {
        self.content.find(namespace, name)?.object()
    }

    /// Iterates over all objects. The order is not specified, but it is the same each time for one snapshot.
    /// Packed objects are decoded one by one.
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
    /// let names: Vec<_> = indexer.snapshot().iter().map(|pod| pod.metadata.name.clone()).collect();
    /// assert_eq!(names, ["web"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Found<'_, K>> {
        self.content.iter().filter_map(|held| held.object())
    }

    /// Iterates over all objects in their stored form. Decodes none.
    pub fn stored(&self) -> impl Iterator<Item = Stored<K>> {
        self.content.iter().map(|held| held.to_stored())
    }

    pub(super) fn stored_in(&self, coverage: &Coverage) -> impl Iterator<Item = Stored<K>> {
        self.content.iter().filter(|held| coverage.contains(held.namespace())).map(|held| held.to_stored())
    }

    /// Iterates over the objects that a selector matches. Decodes only the matching ones.
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
    /// # use client_rs_machinery::labels::Selector;
    /// # let (mut writer, indexer) = Indexer::new();
    /// let mut web = pod("web", 1);
    /// web.metadata.labels.insert("app", "shop".into());
    /// writer.add(web)?;
    /// writer.add(pod("db", 2))?;
    /// assert_eq!(indexer.snapshot().select(&Selector::parse("app=shop")?).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(&self, selector: &Selector) -> impl Iterator<Item = Found<'_, K>> {
        self.content.iter().filter(|held| held.matches(selector)).filter_map(|held| held.object())
    }

    /// Iterates over the objects that have a value in an index and that a selector matches.
    pub fn select_by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
        selector: &Selector,
    ) -> Result<impl Iterator<Item = Found<'a, K>>, IndexError> {
        let found = self.content.by_index(index, value)?;
        Ok(found.filter(move |held| held.matches(selector)).filter_map(|held| held.object()))
    }

    /// Iterates over all keys, in the order of [`iter`](Self::iter). Decodes nothing.
    pub fn keys(&self) -> impl Iterator<Item = ObjectKey> {
        self.content.keys()
    }

    /// Iterates over the objects that have a value in an index.
    pub fn by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
    ) -> Result<impl Iterator<Item = Found<'a, K>> + use<'a, K>, IndexError> {
        Ok(self.content.by_index(index, value)?.filter_map(|held| held.object()))
    }

    /// Returns how many objects have a value in an index. Decodes nothing.
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
    /// writer.add(pod("db", 2))?;
    /// let snapshot = indexer.snapshot();
    /// assert_eq!(snapshot.count_by_index(NAMESPACE_INDEX, "default")?, 2);
    /// assert_eq!(snapshot.keys_by_index(NAMESPACE_INDEX, "other")?.len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count_by_index(&self, index: &str, value: &str) -> Result<usize, IndexError> {
        Ok(self.content.by_index(index, value)?.len())
    }

    /// Iterates over the keys of the objects that have a value in an index, in no order. Decodes nothing.
    pub fn keys_by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
    ) -> Result<impl ExactSizeIterator<Item = ObjectKey> + use<'a, K>, IndexError> {
        Ok(self.content.by_index(index, value)?.map(|held| held.key()))
    }

    /// Iterates over the objects that have a value in a typed index.
    pub fn by<'a, V: IndexValue>(
        &'a self,
        index: &Index<K, V>,
        value: &V,
    ) -> Result<impl Iterator<Item = Found<'a, K>> + use<'a, K, V>, IndexError> {
        self.by_index(index.name(), &value.to_index())
    }

    /// Iterates over all values of an index that an object has, in no order.
    pub fn index_values<'a>(
        &'a self,
        index: &str,
    ) -> Result<impl Iterator<Item = &'a Str> + use<'a, K>, IndexError> {
        self.content.values(index)
    }

    /// Iterates over the names of the indexes.
    pub fn index_names(&self) -> impl Iterator<Item = &Str> {
        self.content.index_names()
    }

    /// Returns the version of the whole; see [`Indexer::resource_version`](super::Indexer::resource_version).
    pub fn resource_version(&self) -> &str {
        if self.in_order { self.content.versions.all() } else { "" }
    }

    /// Returns the version of a part; see
    /// [`Indexer::resource_version_of`](super::Indexer::resource_version_of).
    pub fn resource_version_of(&self, coverage: &Coverage) -> &str {
        match coverage {
            _ if !self.in_order => "",
            Coverage::All => self.content.versions.all(),
            Coverage::Namespace(namespace) => self.content.versions.of(namespace),
        }
    }

    /// Iterates over the objects whose newest version could not be read, with that version.
    pub fn stale(&self) -> impl ExactSizeIterator<Item = (&ObjectKey, &Str)> {
        self.content.stale.iter()
    }

    /// Returns how many times an object could not be read so far, by its watch or by a list. It only grows: if two snapshots have the same number,
    /// every object could be read in between, except those that are [stale](Self::stale) in the first.
    pub fn stale_marks(&self) -> u64 {
        self.content.marks
    }
}

impl<K> Clone for Snapshot<K> {
    fn clone(&self) -> Self {
        Self { content: self.content.clone(), in_order: self.in_order }
    }
}

impl<K: Object> fmt::Debug for Snapshot<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("len", &self.len())
            .field("resource_version", &self.resource_version())
            .finish()
    }
}
