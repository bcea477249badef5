//! A store as it was at one moment.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Object, ObjectKey, Str};

use super::content::Content;
use super::index::{Index, IndexError, IndexValue};
use super::stored::{Found, Stored};
use crate::Coverage;

/// A store as it was when the snapshot was taken: consistent in itself, and no later write changes it.
///
/// Taking one costs no more than an `Arc`'s clone, whatever the size. It holds no lock. As long as it lives, writes copy
/// what they change instead of changing it in place (some kilobytes each at most), and objects that have left the store
/// stay in memory: drop it when done.
pub struct Snapshot<K> {
    content: Arc<Content<K>>,
    in_order: bool,
}

impl<K: Object> Snapshot<K> {
    pub(super) fn new(content: Arc<Content<K>>, in_order: bool) -> Self {
        Self { content, in_order }
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.content.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The object with this key.
    pub fn get(&self, key: &ObjectKey) -> Option<Found<'_, K>> {
        self.find(&key.namespace, &key.name)
    }

    /// The object with this namespace (`""` for the whole cluster) and name.
    pub fn find(&self, namespace: &str, name: &str) -> Option<Found<'_, K>> {
        self.content.find(namespace, name)?.object()
    }

    /// All objects. The order is not specified, and is the same for the same snapshot. Packed ones are decoded one by one.
    pub fn iter(&self) -> impl Iterator<Item = Found<'_, K>> {
        self.content.iter().filter_map(|held| held.object())
    }

    /// All objects as the store has them: none is decoded.
    pub fn stored(&self) -> impl Iterator<Item = Stored<K>> {
        self.content.iter().map(|held| held.to_stored())
    }

    pub(super) fn stored_in(&self, coverage: &Coverage) -> impl Iterator<Item = Stored<K>> {
        self.content.iter().filter(|held| coverage.contains(held.namespace())).map(|held| held.to_stored())
    }

    /// The objects that a selector matches. Of packed objects only the matching ones are decoded.
    pub fn select(&self, selector: &Selector) -> impl Iterator<Item = Found<'_, K>> {
        self.content.iter().filter(|held| held.matches(selector)).filter_map(|held| held.object())
    }

    /// The objects that have a value in an index and that a selector matches.
    pub fn select_by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
        selector: &Selector,
    ) -> Result<impl Iterator<Item = Found<'a, K>>, IndexError> {
        let found = self.content.by_index(index, value)?;
        Ok(found.filter(move |held| held.matches(selector)).filter_map(|held| held.object()))
    }

    /// All keys, in the order of [`iter`](Self::iter).
    pub fn keys(&self) -> impl Iterator<Item = ObjectKey> {
        self.content.keys()
    }

    /// The objects that have a value in an index.
    pub fn by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
    ) -> Result<impl Iterator<Item = Found<'a, K>> + use<'a, K>, IndexError> {
        Ok(self.content.by_index(index, value)?.filter_map(|held| held.object()))
    }

    /// How many objects have a value in an index.
    pub fn count_by_index(&self, index: &str, value: &str) -> Result<usize, IndexError> {
        Ok(self.content.by_index(index, value)?.len())
    }

    /// The keys of the objects that have a value in an index, in no order.
    pub fn keys_by_index<'a>(
        &'a self,
        index: &str,
        value: &str,
    ) -> Result<impl ExactSizeIterator<Item = ObjectKey> + use<'a, K>, IndexError> {
        Ok(self.content.by_index(index, value)?.map(|held| held.key()))
    }

    /// The objects that have a value in an index.
    pub fn by<'a, V: IndexValue>(
        &'a self,
        index: &Index<K, V>,
        value: &V,
    ) -> Result<impl Iterator<Item = Found<'a, K>> + use<'a, K, V>, IndexError> {
        self.by_index(index.name(), &value.to_index())
    }

    /// All values that an object has in an index, in no order.
    pub fn index_values<'a>(
        &'a self,
        index: &str,
    ) -> Result<impl Iterator<Item = &'a Str> + use<'a, K>, IndexError> {
        self.content.values(index)
    }

    /// The names of the indexes.
    pub fn index_names(&self) -> impl Iterator<Item = &Str> {
        self.content.index_names()
    }

    /// The version of the whole; see [`Indexer::resource_version`](super::Indexer::resource_version).
    pub fn resource_version(&self) -> &str {
        if self.in_order { self.content.versions.all() } else { "" }
    }

    /// The version of a part; see [`Indexer::resource_version_of`](super::Indexer::resource_version_of).
    pub fn resource_version_of(&self, coverage: &Coverage) -> &str {
        match coverage {
            _ if !self.in_order => "",
            Coverage::All => self.content.versions.all(),
            Coverage::Namespace(namespace) => self.content.versions.of(namespace),
        }
    }

    /// Objects of which the server has a version that could not be read, with that version.
    pub fn stale(&self) -> impl ExactSizeIterator<Item = (&ObjectKey, &Str)> {
        self.content.stale.iter()
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
