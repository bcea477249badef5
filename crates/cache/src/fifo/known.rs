//! [`KnownObjects`]: the objects that a queue compares a new list with.

use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use crate::Indexer;

/// The objects that the consumer of a queue has: usually the store that it fills. A queue with known objects
/// compares a new list with them, and hands out single deltas. [`Indexer`] implements it.
///
/// The queue calls it while it is locked, so it must not use the queue.
pub trait KnownObjects<K>: Send + Sync {
    /// Returns the keys of all objects.
    fn keys(&self) -> Vec<ObjectKey>;
    /// Returns an object; `None` if it is missing.
    fn get(&self, key: &ObjectKey) -> Option<Arc<K>>;
}

impl<K: Object> KnownObjects<K> for Indexer<K> {
    fn keys(&self) -> Vec<ObjectKey> {
        self.list_keys()
    }

    fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        Indexer::get(self, key)
    }
}
