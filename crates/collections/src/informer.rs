//! Informers as inputs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use client_rs_cache::{
    Collection, Execution, HandlerOptions, InformerError, Notification, Registration, SharedInformer, Stored,
};
use client_rs_machinery::{Object, ObjectKey, Str};

use crate::batch::stage;
use crate::core::store::Store;
use crate::{Graph, Incomplete, LiveSet};

/// Removes the handler with its input.
struct Handler<K: Object> {
    informer: SharedInformer<K>,
    registration: Registration,
}

impl Graph {
    /// Adds the objects of an informer as a collection. The objects are shared with the informer's cache.
    ///
    /// The informer runs on its own; the collection follows it while the graph [runs](Self::spawn). It has the content
    /// that the informer's handlers have seen: relists and lost deletions arrive as changes like any other. A change
    /// of several objects that arrives at once is one epoch. The input counts as not synced until the first list has
    /// arrived.
    ///
    /// ```
    /// use client_rs_cache::{MemoryListWatch, SharedInformer};
    /// use client_rs_collections::Graph;
    /// use client_rs_machinery::ObjectKey;
    /// use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
    /// #     let mut pod = PartialObjectMetadata::default();
    /// #     pod.metadata.namespace = "default".into();
    /// #     pod.metadata.name = name.into();
    /// #     pod.metadata.resource_version = version.to_string().into();
    /// #     pod
    /// # }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let source: MemoryListWatch<_> = [pod("web", 1), pod("db", 2)].into_iter().collect();
    /// let informer = SharedInformer::new(source);
    /// let graph = Graph::new();
    /// let pods = graph.informer("pods", &informer)?;
    /// let names = graph.map("names", &pods, |key, _, _| key.name.clone());
    ///
    /// let (running, _graph) = (informer.spawn(), graph.spawn());
    /// graph.synced().await;
    /// assert_eq!(graph.get(&names, &ObjectKey::new("default", "web")).as_deref(), Some(&"web".into()));
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn informer<K: Object>(
        &self,
        name: impl Into<String>,
        informer: &SharedInformer<K>,
    ) -> Result<LiveSet<ObjectKey, K>, InformerError> {
        let name = name.into();
        let input = self.input::<ObjectKey, K>(name.clone());
        let inbox = input.inbox().clone();
        inbox.await_sync(self.unsynced());
        let weak = Arc::downgrade(&inbox);
        let (notes, source) = (self.shared.notes.clone(), informer.clone());
        // Whether there were changes whose versions were not noted.
        let missed = Arc::new(AtomicBool::new(false));
        let sets_missed = Arc::clone(&missed);
        let handler = move |notification: &Notification<K>| {
            let Some(inbox) = weak.upgrade() else { return };
            let object = match notification {
                Notification::Added { object, .. } => Some(object.clone()),
                Notification::Updated { new, .. } => Some(new.clone()),
                Notification::Deleted(_) => None,
            };
            // The store is never older than its notifications.
            let versions = notes.load(Ordering::Relaxed).then(|| source.collection_versions());
            if versions.is_none() {
                sets_missed.store(true, Ordering::Relaxed);
            }
            inbox.set_at(notification.key(), object, versions);
        };
        let options = HandlerOptions::default()
            .with_name(format!("derived collection {name}"))
            .with_execution(Execution::Inline);
        let registration = informer.add_handler_with(handler, options)?;
        let (waiting, weak) = (registration.clone(), Arc::downgrade(&inbox));
        let synced = async move {
            if waiting.synced().await
                && let Some(inbox) = weak.upgrade()
            {
                inbox.mark_synced();
            }
        };
        self.shared.join(Box::pin(synced));
        let handler = Handler { informer: informer.clone(), registration };
        let (informer, source) = (informer.clone(), informer.clone());
        stage::<ObjectKey, K>(&mut self.lock(), input.handle().place(), |node| {
            node.keep(Box::new((inbox, handler)));
            node.follow(Box::new(move || {
                let mut versions = source.collection_versions();
                if !missed.load(Ordering::Relaxed) {
                    // All changes are noted, and none has arrived: the collection is as before all of them. The cache may have some.
                    for (_, version) in &mut versions {
                        *version = "0".into();
                    }
                }
                versions
            }));
            let compared = AtomicU64::new(0);
            node.ask(Box::new(move |store| incomplete(&informer, store, &compared)));
        });
        self.shared.bell.ring();
        Ok(input.live().clone())
    }

    /// For recordings: from now on, changes of informers come with the versions that the informers had.
    #[doc(hidden)]
    pub fn expect_notes(&self) {
        self.shared.notes.store(true, Ordering::Relaxed);
    }

    /// For recordings: from now on, the graph notes which versions its informers had with the changes that it takes. An input that has
    /// taken none since [`expect_notes`](Self::expect_notes) has version `0`; without that call, the version that its informer has now.
    #[doc(hidden)]
    pub fn note_versions(&self) {
        self.expect_notes();
        self.flush();
        let mut engine = self.lock();
        for node in engine.nodes.entries.iter_mut().filter_map(|entry| entry.node.as_mut()) {
            node.note_versions();
        }
    }

    /// For recordings: the versions that the informers had with the newest changes in the collections. Empty before
    /// [`note_versions`](Self::note_versions).
    #[doc(hidden)]
    pub fn noted_versions(&self) -> Vec<(Collection, Str)> {
        let engine = self.lock();
        let nodes = engine.nodes.entries.iter().filter_map(|entry| entry.node.as_ref());
        nodes.flat_map(|node| node.versions().to_vec()).collect()
    }

    /// For replays: from now on, the task of the graph takes nothing. [`flush`](Self::flush) and [`update`](Self::update) do.
    /// Returns the number of the graph.
    #[doc(hidden)]
    pub fn hold(&self) -> u64 {
        self.shared.held.store(true, Ordering::Relaxed);
        self.id()
    }
}

/// Returns why the collection may lack objects of the server: the informer has stopped, or could not read some, or could not until now and the
/// collection does not have them yet. `compared` has the number of marks for which all objects have been compared.
fn incomplete<K: Object>(
    informer: &SharedInformer<K>,
    store: &Store<ObjectKey, K>,
    compared: &AtomicU64,
) -> Option<Incomplete> {
    if informer.is_stopped() {
        return Some(Incomplete::Stopped { collection: store.name.clone() });
    }
    // Objects and marks of one moment.
    let now = informer.indexer().snapshot();
    let (marks, objects) = (now.stale_marks(), now.stale().len());
    if objects == 0 {
        // The store changes before its handlers are notified, so an object that can be read again may be on its way to the collection.
        // Once all objects have arrived, those that come are like any others, until the next one that can't be read.
        let has = |stored: &Stored<K>| {
            let known = store.table.get(&stored.key());
            known.is_some_and(|known| known.resource_version() == stored.resource_version())
        };
        if marks == compared.load(Ordering::Relaxed) {
            return None;
        }
        if now.len() == store.table.len() && now.stored().all(|stored| has(&stored)) {
            compared.store(marks, Ordering::Relaxed);
            return None;
        }
    }
    Some(Incomplete::Undecodable { collection: store.name.clone(), objects })
}

impl<K: Object> Drop for Handler<K> {
    fn drop(&mut self) {
        self.informer.remove_handler(&self.registration);
    }
}
