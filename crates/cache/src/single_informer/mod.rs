//! [`SingleInformer`]: a reflector, a queue and a store with one handler; and [`process_loop`], which empties a
//! queue.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use client_rs_machinery::{Object, Str};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::reflector::{Reflector, ReflectorHandle, ReflectorOptions};
use crate::store::Stored;
use crate::{
    Batch, BoxFuture, Cached, EventHandler, HasSynced, Indexer, ListWatch, Notification, PopError, Queue,
    Writer,
};

/// Processes every batch of a queue, in order, until the queue is closed and empty.
///
/// Use it to build an informer of your own; [`SharedInformer`](crate::SharedInformer) and [`SingleInformer`] do
/// this already. `process` runs on the calling task and must not block it. Cancel-safe: dropping the future
/// loses no batch.
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
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::{InOrderFifo, InOrderFifoOptions, Indexer, Queue, process_loop};
///
/// let queue = InOrderFifo::new(InOrderFifoOptions::default());
/// let (mut writer, indexer) = Indexer::new();
/// queue.add(pod("web", 1))?;
/// queue.delete(pod("web", 2))?;
/// queue.add(pod("db", 3))?;
/// queue.close();
/// process_loop(&queue, |batch| drop(writer.apply(batch.deltas.drain(..)))).await;
/// assert_eq!(indexer.list_keys()[0].to_string(), "default/db");
/// # Ok(())
/// # }
/// ```
pub async fn process_loop<K: Object, Q: Queue<K>>(queue: &Q, mut process: impl FnMut(&mut Batch<K>) + Send) {
    let mut once = |batch: &mut Batch<K>| {
        process(batch);
        Ok::<_, Infallible>(())
    };
    loop {
        match queue.pop(&mut once).await {
            Ok(()) => (),
            Err(PopError::Closed) => return,
            Err(PopError::Process(never)) => match never {},
        }
        if !queue.is_empty() {
            // Other tasks get their turn, regardless of how fast the queue fills.
            tokio::task::yield_now().await;
        }
    }
}

/// Finds objects in the cache, so that they are not in memory twice during a list.
impl<K: Object> Cached<K> for Indexer<K> {
    fn at_version(
        &self,
        namespace: &str,
        name: &str,
        uid: &str,
        resource_version: &str,
    ) -> Option<Stored<K>> {
        let stored = self.stored(namespace, name)?;
        let is_same = stored.resource_version() == resource_version && stored.has_uid(uid);
        // An object that could not be read is another one, even if a restored server uses the version again.
        (is_same && self.stale(&stored.key()).is_none()).then_some(stored)
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An informer with one handler, which runs on the task that fills the store: client-go's `NewInformer`.
///
/// It has no queue for the handler: a handler that blocks also blocks the store and an async worker. A panic of
/// the handler ends [`run`](Self::run) with that panic. For several handlers, slow handlers, or handlers that
/// come and go, use [`SharedInformer`](crate::SharedInformer).
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
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::{Arc, Mutex};
/// use client_rs_cache::reflector::ReflectorOptions;
/// use client_rs_cache::{
///     CancellationToken, InOrderFifo, InOrderFifoOptions, Indexer, MemoryListWatch, Notification, SingleInformer,
/// };
///
/// let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
/// let queue = Arc::new(InOrderFifo::new(InOrderFifoOptions::default()));
/// let (writer, indexer) = Indexer::new();
/// let seen = Arc::new(Mutex::new(Vec::new()));
/// let log = seen.clone();
/// let handler = move |notification: &Notification<PartialObjectMetadata>| {
///     log.lock().unwrap().push(format!("{notification:?}"));
/// };
/// let informer = SingleInformer::new(Arc::new(source), queue, writer, handler, ReflectorOptions::default());
///
/// let (handle, cancel) = (informer.handle(), CancellationToken::new());
/// tokio::join!(informer.run(cancel.clone()), async {
///     handle.synced().await;
///     cancel.cancel();
/// });
/// assert_eq!(*seen.lock().unwrap(), ["Added(default/web@1, initial)"]);
/// assert_eq!(indexer.len(), 1);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is listed or watched until `run`"]
pub struct SingleInformer<K: Object, Q> {
    reflector: Reflector<K, Q>,
    queue: Arc<Q>,
    writer: Writer<K>,
    handler: Arc<dyn EventHandler<K>>,
    /// Cancelled when the informer has ended.
    ended: CancellationToken,
    end: DropGuard,
}

/// A handle on a [`SingleInformer`] that runs elsewhere. [`wait_for_cache_sync`](crate::wait_for_cache_sync) accepts it.
pub struct SingleInformerHandle<K, Q> {
    queue: Arc<Q>,
    reflector: ReflectorHandle,
    name: Str,
    ended: CancellationToken,
    kind: PhantomData<fn() -> K>,
}

impl<K: Object, Q: Queue<K>> SingleInformer<K, Q> {
    /// Makes an informer that fills a store from a source through a queue. It sets the cache of
    /// `reflector.fetch` to the store.
    pub fn new(
        source: Arc<dyn ListWatch<K>>,
        queue: Arc<Q>,
        writer: Writer<K>,
        handler: impl EventHandler<K>,
        mut reflector: ReflectorOptions<K>,
    ) -> Self {
        reflector.fetch = reflector.fetch.sharing(Arc::new(writer.indexer().clone()));
        let reflector = Reflector::new(source, queue.clone(), reflector);
        let ended = CancellationToken::new();
        let end = ended.clone().drop_guard();
        Self { reflector, queue, writer, handler: Arc::new(handler), ended, end }
    }

    /// Returns the reader of the store.
    pub fn indexer(&self) -> Indexer<K> {
        self.writer.indexer().clone()
    }

    /// Returns a handle to use while it runs.
    pub fn handle(&self) -> SingleInformerHandle<K, Q> {
        SingleInformerHandle {
            queue: self.queue.clone(),
            reflector: self.reflector.handle(),
            name: self.reflector.name().into(),
            ended: self.ended.clone(),
            kind: PhantomData,
        }
    }

    /// Runs until cancelled. It still processes the deltas that are queued by then.
    pub async fn run(self, cancel: CancellationToken) {
        let Self { reflector, queue, mut writer, handler, end: _end, .. } = self;
        let reflect = async {
            reflector.run(cancel).await;
            queue.close();
        };
        let process = process_loop(&*queue, |batch| {
            let is_initial = batch.is_initial;
            let changes = writer.apply(batch.deltas.drain(..));
            for mut change in changes {
                if is_initial {
                    change.set_initial();
                }
                if let Some(notification) = Notification::from_change(change) {
                    handler.handle(&notification);
                }
            }
        });
        tokio::join!(reflect, process);
    }
}

impl<K: Object, Q: Queue<K>> SingleInformerHandle<K, Q> {
    /// Returns whether every object of the first list has reached the store and the handler.
    pub fn has_synced(&self) -> bool {
        self.queue.has_synced()
    }

    /// Waits for [`has_synced`](Self::has_synced). It never returns if the informer ends before.
    pub async fn synced(&self) {
        self.queue.synced().await;
    }

    /// Returns the version that the queue has reached.
    pub fn last_sync_resource_version(&self) -> Str {
        self.reflector.last_sync_resource_version()
    }
}

impl<K: Object, Q> fmt::Debug for SingleInformer<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SingleInformer({:?})", self.reflector)
    }
}

impl<K: Object, Q: Queue<K>> HasSynced for SingleInformerHandle<K, Q> {
    fn sync_name(&self) -> &str {
        &self.name
    }

    fn has_synced(&self) -> bool {
        Self::has_synced(self)
    }

    fn wait_synced(&self) -> BoxFuture<'_, bool> {
        Box::pin(async {
            self.ended.run_until_cancelled(self.synced()).await;
            self.has_synced()
        })
    }
}

impl<K, Q> fmt::Debug for SingleInformerHandle<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SingleInformerHandle({:?})", self.reflector)
    }
}

#[cfg(test)]
mod tests;
