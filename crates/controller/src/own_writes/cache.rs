//! The caches of a controller.

use std::any::Any;
use std::sync::Arc;

use client_rs_cache::{Awaited, BoxFuture, Collection, FetchError, ServerVersion, SharedInformer};
use client_rs_machinery::{GroupResource, Object, ObjectKey, Write, WriteLog, WriteOutcome};

use crate::enqueue::Keys;

/// A cache that the controller reads.
pub(crate) trait Cache: Send + Sync {
    /// The logs of the clients that fill the cache.
    fn logs(&self) -> Vec<WriteLog>;
    /// Whether a written object is of the kind, and of a namespace, that the cache has.
    fn is_of(&self, write: &Write<'_>) -> bool;
    /// The keys to which a written object maps; `None` if the cache will not show the object.
    fn keys(&self, write: &Write<'_>) -> Option<Vec<ObjectKey>>;
    /// Whether the cache has an object of its own in exactly the state after a write.
    fn shows(&self, write: &Write<'_>) -> bool;
    fn reflects(&self, object: &ObjectKey, awaited: &Awaited) -> bool;
    fn reflecting<'a>(&'a self, object: &'a ObjectKey, awaited: &'a Awaited) -> BoxFuture<'a, ()>;
    /// Whether handlers are notified of a version that the cache reflects.
    fn delivers(&self, object: &ObjectKey, version: &str) -> bool;
    /// Waits for the next list.
    fn listed(&self, more_than: u64) -> BoxFuture<'_, u64>;
    fn version_on_server<'a>(
        &'a self,
        object: &'a ObjectKey,
    ) -> BoxFuture<'a, Result<Option<ServerVersion>, FetchError>>;
    /// The object, if the cache has it as the server sent it.
    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>>;
    /// The name of its informer.
    fn name(&self) -> &str;
    /// The versions of the newest lists or changes in the cache, by their collections.
    #[cfg(feature = "recording")]
    fn versions(&self) -> Vec<(String, String)>;
}

/// The informer of a source as a [`Cache`].
pub(crate) struct SourceCache<K: Object> {
    pub(crate) informer: SharedInformer<K>,
    pub(crate) collections: Vec<Collection>,
    pub(crate) keys: Arc<Keys<K>>,
}

impl<K: Object> SourceCache<K> {
    /// The collections of the cache that may have a written object.
    fn collections_of<'a>(&'a self, write: &'a Write<'_>) -> impl Iterator<Item = &'a Collection> {
        self.collections.iter().filter(|collection| {
            collection.writes.is_same_server(write.log)
                && collection.resource == *write.resource
                && collection.namespace.as_ref().is_none_or(|own| *own == write.key.namespace)
        })
    }
}

impl<K: Object> Cache for SourceCache<K> {
    fn logs(&self) -> Vec<WriteLog> {
        self.collections.iter().map(|collection| collection.writes.clone()).collect()
    }

    fn is_of(&self, write: &Write<'_>) -> bool {
        self.collections_of(write).next().is_some()
    }

    fn keys(&self, write: &Write<'_>) -> Option<Vec<ObjectKey>> {
        let mut collections = self.collections_of(write);
        let first = collections.next()?;
        let old = self.informer.indexer().get(write.key);
        let WriteOutcome::Object(object) = write.outcome else {
            return Some(self.keys.of_key(write.key, old.as_ref()));
        };
        // An object that leaves the cache is waited for too: the cache removes it.
        let shows = old.is_some()
            || std::iter::once(first)
                .chain(collections)
                .any(|collection| collection.includes(object.metadata) == Some(true));
        shows.then(|| self.keys.of_written(write.key, &object, old.as_ref()))
    }

    fn shows(&self, write: &Write<'_>) -> bool {
        let WriteOutcome::Object(written) = write.outcome else { return false };
        let ObjectKey { namespace, name } = write.key;
        let stored = self.informer.indexer().stored(namespace, name);
        stored.is_some_and(|stored| stored.resource_version() == written.metadata.resource_version())
    }

    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let is_own = |collection: &Collection| {
            collection.writes.is_same_server(log) && collection.resource == *resource
        };
        if self.informer.is_transformed() || !self.collections.iter().any(is_own) {
            return None;
        }
        // The server has a newer version, which can't be decoded.
        if self.informer.indexer().stale(key).is_some() {
            return None;
        }
        Some(self.informer.indexer().get(key)?)
    }

    fn reflects(&self, object: &ObjectKey, awaited: &Awaited) -> bool {
        self.informer.indexer().reflects(object, awaited)
    }

    fn reflecting<'a>(&'a self, object: &'a ObjectKey, awaited: &'a Awaited) -> BoxFuture<'a, ()> {
        Box::pin(self.informer.indexer().reflecting(object, awaited))
    }

    fn delivers(&self, object: &ObjectKey, version: &str) -> bool {
        self.informer.indexer().delivers(object, version)
    }

    fn listed(&self, more_than: u64) -> BoxFuture<'_, u64> {
        Box::pin(self.informer.indexer().listed(more_than))
    }

    fn version_on_server<'a>(
        &'a self,
        object: &'a ObjectKey,
    ) -> BoxFuture<'a, Result<Option<ServerVersion>, FetchError>> {
        Box::pin(self.informer.version_on_server(object))
    }

    fn name(&self) -> &str {
        self.informer.name()
    }

    #[cfg(feature = "recording")]
    fn versions(&self) -> Vec<(String, String)> {
        crate::recording::named(self.informer.collection_versions()).collect()
    }
}
