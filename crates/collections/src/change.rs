//! [`LiveChange`]: a changed entry of a collection.

use std::fmt;
use std::sync::Arc;

use client_rs_cache::{Deleted, Notification};

/// A changed entry. At least one of `old` and `new` is set.
#[non_exhaustive]
pub struct LiveChange<K, V> {
    /// The key.
    pub key: K,
    /// The value that the observer last saw; `None` if the key was absent.
    pub old: Option<Arc<V>>,
    /// The new value; `None` if the key is gone.
    pub new: Option<Arc<V>>,
}

/// The changes of a collection, up to an epoch.
#[derive(Debug)]
#[non_exhaustive]
pub struct Changes<K, V> {
    /// The epoch that the observer has reached. All collections of the graph were at it.
    pub epoch: u64,
    /// One change per key, in no particular order.
    pub list: Vec<LiveChange<K, V>>,
}

impl<K, V> LiveChange<K, V> {
    /// Returns the change as the handlers of informers get it.
    ///
    /// ```
    /// use client_rs_cache::Notification;
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let names = graph.constant("names", [(1, "one")]);
    /// let changes = graph.observe(&names).take().unwrap();
    /// assert!(matches!(changes.list[0].notification(), Some(Notification::Added { .. })));
    /// ```
    pub fn notification(&self) -> Option<Notification<V>> {
        match (self.old.clone(), self.new.clone()) {
            (None, Some(object)) => Some(Notification::Added { object, is_initial: false }),
            (Some(old), Some(new)) => Some(Notification::Updated { old, new }),
            (Some(old), None) => Some(Notification::Deleted(Deleted::Object(old))),
            (None, None) => None,
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for LiveChange<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveChange")
            .field("key", &self.key)
            .field("old", &self.old)
            .field("new", &self.new)
            .finish()
    }
}
