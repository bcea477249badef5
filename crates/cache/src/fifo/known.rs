//! What a queue compares a new list with.

use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use crate::Indexer;

/// The objects that a queue's consumer has: usually the store that it fills.
///
/// It is asked while the queue is locked, so it must not use the queue.
pub trait KnownObjects<K>: Send + Sync {
    /// The keys of all objects.
    fn keys(&self) -> Vec<ObjectKey>;
    /// An object; nothing if it is not there.
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
