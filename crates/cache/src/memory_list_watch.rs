//! [`MemoryListWatch`]: a collection in memory, for tests and examples.

use std::collections::BTreeMap;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{ListSummary, WatchEvent};
use client_rs_machinery::{ApiError, Object, ObjectKey};
use futures_core::Stream;
use tokio::sync::mpsc;

use crate::{BoxFuture, FetchContext, FetchError, Incoming, ItemSink, ListWatch, WatchStream};

/// A [`ListWatch`] over a collection in memory: an informer without a server, for tests and examples.
///
/// A handle: clones share one collection. Give a clone to the informer and change the collection through another. Use it to
/// test handlers, indexes and transforms. To test a program that sends requests, use the embedded API server instead: this
/// type ignores selectors and page sizes, and every list has the objects of all namespaces.
///
/// ```
/// use client_rs_cache::{MemoryListWatch, Notification, SharedInformer};
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut web = PartialObjectMetadata::default();
/// web.metadata.name = "web".into();
/// web.metadata.resource_version = "1".into();
///
/// let pods = MemoryListWatch::new();
/// let informer = SharedInformer::new(pods.clone());
/// let mut changes = informer.subscribe()?;
/// let running = informer.spawn();
/// informer.synced().await;
/// assert!(informer.indexer().is_empty());
///
/// pods.put(web);
/// assert!(matches!(changes.next().await, Some(Notification::Added { is_initial: false, .. })));
/// assert!(informer.indexer().find("", "web").is_some());
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
///
/// - **Versions**: give every state of an object a `resourceVersion` that is a number, higher than all earlier ones, as a server
///   does. The version of the collection is the highest so far, and grows by at least one with each change.
/// - **Order**: watches get the changes in the order of the calls. A watch that begins at an earlier version first gets all
///   changes since then.
/// - **Blocking**: no call waits. **Memory**: all changes are kept for watches that begin later, so it grows with each.
/// - **Cancellation**: dropping a watch ends it.
pub struct MemoryListWatch<K> {
    state: Arc<Mutex<State<K>>>,
}

struct State<K> {
    version: u64,
    objects: BTreeMap<ObjectKey, K>,
    /// Every change, with the version of the collection after it.
    log: Vec<(u64, Kind, K)>,
    watches: Vec<mpsc::UnboundedSender<Event<K>>>,
}

type Event<K> = WatchEvent<Incoming<K>, ApiError>;

#[derive(Clone, Copy)]
enum Kind {
    Added,
    Modified,
    Deleted,
}

impl<K: Object + Clone> MemoryListWatch<K> {
    /// Makes an empty collection. To begin with objects, collect them: `objects.into_iter().collect()`.
    pub fn new() -> Self {
        let state = State { version: 1, objects: BTreeMap::new(), log: Vec::new(), watches: Vec::new() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Creates or replaces an object. Open watches get the change at once.
    ///
    /// ```
    /// # use client_rs_cache::MemoryListWatch;
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// let pods = MemoryListWatch::new();
    /// let mut web = PartialObjectMetadata::default();
    /// web.metadata.name = "web".into();
    /// web.metadata.resource_version = "7".into();
    /// pods.put(web);
    /// assert_eq!(pods.resource_version(), 7);
    /// ```
    pub fn put(&self, object: K) {
        let mut state = self.lock();
        let own = object.resource_version().parse().unwrap_or(0);
        let replaced = state.objects.insert(object.key(), object.clone()).is_some();
        state.change(if replaced { Kind::Modified } else { Kind::Added }, object, own);
    }

    /// Deletes an object and returns its last state. Does nothing if it is missing.
    ///
    /// ```
    /// # use client_rs_cache::MemoryListWatch;
    /// # use client_rs_machinery::{ObjectKey, meta::v1::PartialObjectMetadata};
    /// let mut web = PartialObjectMetadata::default();
    /// web.metadata.name = "web".into();
    /// let pods: MemoryListWatch<_> = [web].into_iter().collect();
    /// assert!(pods.delete(&ObjectKey::cluster("web")).is_some());
    /// assert!(pods.delete(&ObjectKey::cluster("web")).is_none());
    /// ```
    pub fn delete(&self, key: &ObjectKey) -> Option<K> {
        let mut state = self.lock();
        let object = state.objects.remove(key)?;
        state.change(Kind::Deleted, object.clone(), 0);
        Some(object)
    }

    /// Ends all open watches, as a server does now and then. A reflector opens the next watch where the last one ended.
    pub fn end_watches(&self) {
        self.lock().watches.clear();
    }

    /// Returns the version of the collection.
    pub fn resource_version(&self) -> u64 {
        self.lock().version
    }
}

impl<K> MemoryListWatch<K> {
    fn lock(&self) -> MutexGuard<'_, State<K>> {
        // Only the `Clone` of an object can panic under the lock. Then at most that change is not delivered.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Object + Clone> State<K> {
    fn change(&mut self, kind: Kind, object: K, own_version: u64) {
        self.version = own_version.max(self.version.saturating_add(1));
        let (version, watches) = (self.version, &mut self.watches);
        watches.retain(|watch| {
            events(version, kind, &object).into_iter().all(|event| watch.send(event).is_ok())
        });
        self.log.push((version, kind, object));
    }
}

/// The events of one change. A bookmark follows if the object does not have the version of the collection.
fn events<K: Object + Clone>(version: u64, kind: Kind, object: &K) -> Vec<Event<K>> {
    let incoming = Incoming::Object(object.clone());
    let mut events = vec![match kind {
        Kind::Added => WatchEvent::Added(incoming),
        Kind::Modified => WatchEvent::Modified(incoming),
        Kind::Deleted => WatchEvent::Deleted(incoming),
    }];
    let resource_version = version.to_string();
    if object.resource_version() != resource_version {
        let resource_version = resource_version.into();
        events.push(WatchEvent::Bookmark { resource_version, initial_events_end: false });
    }
    events
}

impl<K: Object + Clone> ListWatch<K> for MemoryListWatch<K> {
    fn list<'a>(
        &'a self,
        _: ListOptions,
        _: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        Box::pin(async move {
            let (objects, version) = {
                let state = self.lock();
                (state.objects.values().cloned().collect::<Vec<_>>(), state.version)
            };
            let resource_version = version.to_string().into();
            let summary = ListSummary { resource_version, items: objects.len(), ..ListSummary::default() };
            objects.into_iter().map(Incoming::Object).for_each(items);
            Ok(summary)
        })
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        _: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        Box::pin(async move {
            let from = options.resource_version.parse().unwrap_or(0);
            let (sender, receiver) = mpsc::unbounded_channel();
            let mut state = self.lock();
            let missed = state.log.iter().filter(|(version, ..)| *version > from);
            for event in missed.flat_map(|(version, kind, object)| events(*version, *kind, object)) {
                let _ = sender.send(event);
            }
            state.watches.push(sender);
            Ok(Box::pin(Watch(receiver)) as WatchStream<K>)
        })
    }

    fn supports_watch_list(&self) -> bool {
        false
    }
}

struct Watch<K>(mpsc::UnboundedReceiver<Event<K>>);

impl<K> Stream for Watch<K> {
    type Item = Result<Event<K>, FetchError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|event| event.map(Ok))
    }
}

impl<K: Object + Clone> Default for MemoryListWatch<K> {
    fn default() -> Self {
        Self::new()
    }
}

/// Begins with these objects.
impl<K: Object + Clone> FromIterator<K> for MemoryListWatch<K> {
    fn from_iter<I: IntoIterator<Item = K>>(objects: I) -> Self {
        let collection = Self::new();
        objects.into_iter().for_each(|object| collection.put(object));
        collection
    }
}

impl<K> Clone for MemoryListWatch<K> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone() }
    }
}

impl<K> fmt::Debug for MemoryListWatch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        write!(f, "MemoryListWatch({} objects at version {})", state.objects.len(), state.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{TestObject, plain};
    use crate::{SharedInformer, Subscription};

    async fn next(changes: &mut Subscription<TestObject>) -> String {
        format!("{:?}", changes.next().await.unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn an_informer_follows_the_collection_across_watches_that_end() {
        let collection: MemoryListWatch<_> = [plain("a", 3), plain("b", 5)].into_iter().collect();
        assert_eq!(format!("{collection:?}"), "MemoryListWatch(2 objects at version 5)");
        let informer = SharedInformer::new(collection.clone());
        let mut changes = informer.subscribe().unwrap();
        let running = informer.spawn();
        assert_eq!(next(&mut changes).await, "Added(ns/a@3, initial)");
        assert_eq!(next(&mut changes).await, "Added(ns/b@5, initial)");
        collection.put(plain("a", 9));
        assert_eq!(next(&mut changes).await, "Updated(ns/a@3→9)");
        collection.end_watches();
        collection.delete(&plain("b", 0).key());
        assert_eq!(next(&mut changes).await, "Deleted(ns/b@5)");
        collection.end_watches();
        // A version that is not higher than the last: the version of the collection still grows.
        collection.put(plain("c", 1));
        assert_eq!(next(&mut changes).await, "Added(ns/c@1)");
        assert_eq!(collection.resource_version(), 11);
        running.shutdown().await.unwrap();
    }

    #[tokio::test]
    async fn a_watch_begins_with_the_changes_since_its_version() {
        let collection: MemoryListWatch<_> = [plain("a", 2), plain("a", 4)].into_iter().collect();
        let events = |from: &'static str| {
            let collection = collection.clone();
            async move {
                let options = ListOptions { resource_version: from.into(), ..ListOptions::EMPTY };
                let mut watch = collection.watch(options, &FetchContext::default()).await.unwrap();
                collection.end_watches();
                let mut count = 0;
                while std::future::poll_fn(|cx| watch.as_mut().poll_next(cx)).await.is_some() {
                    count += 1;
                }
                count
            }
        };
        assert_eq!((events("0").await, events("2").await, events("4").await), (2, 1, 0));
    }
}
