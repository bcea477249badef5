//! [`Writer`]: filling a store.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use super::change::Change;
use super::indexer::Indexer;
use crate::{Bookmark, Coverage, Deleted, Delta, Replacement, Tombstone, Transform, TransformError};

/// Filling a store. There is one writer a store and it is not cloned, so that changes have one order.
///
/// When a call returns, every reader sees its effect: handlers that are notified of the [changes](Change) afterwards
/// find in the store what they are notified of, or something newer.
///
/// Dropping it ends everyone who waits in [`Indexer::at_least`].
pub struct Writer<K: Object> {
    indexer: Indexer<K>,
    transform: Option<Transform<K>>,
    /// Deltas that will be applied in one step. Kept from call to call for its memory alone.
    step: Vec<Delta<K>>,
}

impl<K: Object> Writer<K> {
    pub(super) fn new(indexer: Indexer<K>, transform: Option<Transform<K>>) -> Self {
        Self { indexer, transform, step: Vec::new() }
    }

    /// The store's reader.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.indexer
    }

    /// Applies deltas, oldest first, and returns what they changed. Up to a [`Delta::ReplacedAll`] or
    /// [`Delta::SyncAll`] they are applied in one step.
    pub fn apply(&mut self, deltas: impl IntoIterator<Item = Delta<K>>) -> Vec<Change<K>> {
        let deltas = deltas.into_iter();
        let mut changes = Vec::with_capacity(deltas.size_hint().0);
        for delta in deltas {
            match delta {
                Delta::ReplacedAll(list) => {
                    self.indexer.shared.apply(&mut self.step, &mut changes);
                    changes.append(&mut self.replace(*list));
                }
                Delta::SyncAll(coverage) => {
                    self.indexer.shared.apply(&mut self.step, &mut changes);
                    self.resync(&coverage, &mut changes);
                }
                delta => self.step.push(delta),
            }
        }
        self.indexer.shared.apply(&mut self.step, &mut changes);
        changes
    }

    /// Makes the store, or a part of it, equal to a list, in one step. An object that the store has at the listed version
    /// stays the very same. Deletions come first, then what the list has, in its order.
    pub fn replace(&mut self, list: Replacement<K>) -> Vec<Change<K>> {
        self.indexer.shared.replace(list)
    }

    /// Nothing changed up to this version.
    pub fn bookmark(&mut self, bookmark: Bookmark) {
        self.apply([Delta::Bookmark(bookmark)]);
    }

    /// Stores an object, whether or not the store has one of its key. If the transform fails, nothing changes.
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

    /// Takes an object out; nothing happens if it is not there. The store's version is not changed by this.
    pub fn delete(&mut self, key: &ObjectKey) -> Option<Arc<K>> {
        let tombstone = Tombstone { key: key.clone(), object: None };
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
