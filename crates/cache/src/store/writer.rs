//! [`Writer`]: the writer of a store.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use super::change::Change;
use super::indexer::Indexer;
use super::stored::Stored;
use crate::{Bookmark, Coverage, Deleted, Delta, Replacement, Tombstone, Transform, TransformError};

/// The writer of a store. A store has one writer, which cannot be cloned, so that changes have one order.
///
/// Informers use it internally. Use it directly to fill a store from another source.
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
/// use client_rs_machinery::ObjectKey;
///
/// let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 1))?;
/// writer.update(pod("web", 2))?;
/// assert_eq!(indexer.len(), 1);
/// assert!(writer.delete(&ObjectKey::new("default", "web")).is_some());
/// assert!(indexer.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// - When a call returns, every reader sees its effect: a handler that is notified of the [changes](Change)
///   afterwards finds that state or a newer one in the store.
/// - Dropping it ends all waits in [`Indexer::at_least`].
pub struct Writer<K: Object> {
    indexer: Indexer<K>,
    transform: Option<Transform<K>>,
    /// Deltas to apply in one step. Kept between calls only to reuse its memory.
    step: Vec<Delta<K>>,
}

impl<K: Object> Writer<K> {
    pub(super) fn new(indexer: Indexer<K>, transform: Option<Transform<K>>) -> Self {
        Self { indexer, transform, step: Vec::new() }
    }

    /// Returns the reader of the store.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.indexer
    }

    /// Applies deltas, oldest first, and returns the changes. Deltas up to a [`Delta::ReplacedAll`] or
    /// [`Delta::SyncAll`] are applied in one step.
    pub fn apply(&mut self, deltas: impl IntoIterator<Item = Delta<K>>) -> Vec<Change<K>> {
        self.apply_keeping(deltas, &mut Vec::new())
    }

    /// Applies deltas, and adds the objects that no change has to `ended`: for a caller that must not drop them yet.
    pub(crate) fn apply_keeping(
        &mut self,
        deltas: impl IntoIterator<Item = Delta<K>>,
        ended: &mut Vec<Stored<K>>,
    ) -> Vec<Change<K>> {
        let deltas = deltas.into_iter();
        let mut changes = Vec::with_capacity(deltas.size_hint().0);
        for delta in deltas {
            match delta {
                Delta::ReplacedAll(list) => {
                    self.indexer.shared.apply(&mut self.step, &mut changes, ended);
                    changes.append(&mut self.replace(*list));
                }
                Delta::SyncAll(coverage) => {
                    self.indexer.shared.apply(&mut self.step, &mut changes, ended);
                    self.resync(&coverage, &mut changes);
                }
                delta => self.step.push(delta),
            }
        }
        self.indexer.shared.apply(&mut self.step, &mut changes, ended);
        changes
    }

    /// Makes the store, or a part of it, equal to a list, in one step. The store keeps an object that it
    /// already has at the listed version. The changes are the deletions first, then those of the listed
    /// objects, in the order of the list.
    pub fn replace(&mut self, list: Replacement<K>) -> Vec<Change<K>> {
        self.indexer.shared.replace(list)
    }

    /// Notes that nothing changed up to this version.
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// # use client_rs_cache::{Bookmark, Indexer};
    /// let (mut writer, indexer) = Indexer::<PartialObjectMetadata>::new();
    /// writer.bookmark(Bookmark::new("42"));
    /// assert_eq!(indexer.resource_version(), "42");
    /// ```
    pub fn bookmark(&mut self, bookmark: Bookmark) {
        self.apply([Delta::Bookmark(bookmark)]);
    }

    /// Stores an object, replacing an earlier one with its key. If the transform fails, nothing changes.
    pub fn add(&mut self, object: K) -> Result<Change<K>, TransformError> {
        let object = match &self.transform {
            Some(transform) => transform.apply(object)?,
            None => object,
        };
        let object = Arc::new(object);
        let change = self.apply([Delta::Added(object.clone())]).pop();
        Ok(change.unwrap_or(Change::Added { object: object.into(), is_initial: false }))
    }

    /// The same as [`add`](Self::add).
    pub fn update(&mut self, object: K) -> Result<Change<K>, TransformError> {
        self.add(object)
    }

    /// Removes an object and returns its last state. Does nothing if it is missing. The version of the store
    /// does not change.
    pub fn delete(&mut self, key: &ObjectKey) -> Option<Arc<K>> {
        let tombstone = Tombstone::new(key.clone(), None);
        match self.apply([Delta::Deleted(Deleted::FinalStateUnknown(tombstone))]).pop() {
            Some(Change::Vanished(last)) => last.object(),
            _ => None,
        }
    }

    fn resync(&self, coverage: &Coverage, changes: &mut Vec<Change<K>>) {
        let snapshot = self.indexer.snapshot();
        let objects = snapshot.stored_in(coverage);
        changes.extend(objects.map(|object| Change::Updated { old: object.clone(), new: object }));
    }
}

impl<K: Object> Drop for Writer<K> {
    fn drop(&mut self) {
        self.indexer.shared.waiters.close();
    }
}

impl<K: Object> fmt::Debug for Writer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Writer({:?})", self.indexer)
    }
}
