//! [`SingleInformer`]: a reflector, a queue and what empties it into a store; and [`process_loop`], which does.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, Str};
use tokio_util::sync::CancellationToken;

use crate::reflector::{Reflector, ReflectorHandle, ReflectorOptions};
use crate::store::Stored;
use crate::{Batch, Cached, EventHandler, Indexer, ListWatch, Notification, PopError, Queue, Writer};

/// Has every batch of a queue processed, in order, until the queue is closed and empty.
///
/// `process` runs on the calling task and must not block it. Cancel safe: dropping the future loses no batch.
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
            // Other tasks get their turn, however fast the queue is filled.
            tokio::task::yield_now().await;
        }
    }
}

/// The cache finds its own objects, so that they are not kept twice while a list is under way.
impl<K: Object> Cached<K> for Indexer<K> {
    fn at_version(
        &self,
        namespace: &str,
        name: &str,
        uid: &str,
        resource_version: &str,
    ) -> Option<Stored<K>> {
        let stored = self.stored(namespace, name)?;
        (stored.resource_version() == resource_version && stored.has_uid(uid)).then_some(stored)
    }
}

/// An informer with one handler, called on the task that fills the store: client-go's `NewInformer`.
///
/// It has no queue for the handler: one that blocks holds up the store, and blocks an async worker. A panic of the
/// handler ends [`run`](Self::run) with that panic. For several handlers, slow ones, or ones that come and go, there
/// is [`SharedInformer`](crate::SharedInformer).
#[must_use = "nothing is listed or watched until `run`"]
pub struct SingleInformer<K: Object, Q> {
    reflector: Reflector<K, Q>,
    queue: Arc<Q>,
    writer: Writer<K>,
    handler: Arc<dyn EventHandler<K>>,
}

/// A handle on a [`SingleInformer`] that runs elsewhere.
pub struct SingleInformerHandle<Q> {
    queue: Arc<Q>,
    reflector: ReflectorHandle,
}

impl<K: Object, Q: Queue<K>> SingleInformer<K, Q> {
    /// An informer that fills a store from a source through a queue. `reflector.fetch` is given the store to
    /// share objects with.
    pub fn new(
        source: Arc<dyn ListWatch<K>>,
        queue: Arc<Q>,
        writer: Writer<K>,
        handler: impl EventHandler<K>,
        mut reflector: ReflectorOptions<K>,
    ) -> Self {
        reflector.fetch = reflector.fetch.sharing(Arc::new(writer.indexer().clone()));
        let reflector = Reflector::new(source, queue.clone(), reflector);
        Self { reflector, queue, writer, handler: Arc::new(handler) }
    }

    /// The store.
    pub fn indexer(&self) -> Indexer<K> {
        self.writer.indexer().clone()
    }

    /// A handle for when it runs.
    pub fn handle(&self) -> SingleInformerHandle<Q> {
        SingleInformerHandle { queue: self.queue.clone(), reflector: self.reflector.handle() }
    }

    /// Runs until cancelled; what is queued by then is still processed.
    pub async fn run(self, cancel: CancellationToken) {
        let Self { reflector, queue, mut writer, handler } = self;
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

impl<Q> SingleInformerHandle<Q> {
    /// Has everything that the first list brought reached store and handler?
    pub fn has_synced<K: Object>(&self) -> bool
    where
        Q: Queue<K>,
    {
        self.queue.has_synced()
    }

    /// Waits for that.
    pub async fn synced<K: Object>(&self)
    where
        Q: Queue<K>,
    {
        self.queue.synced().await;
    }

    /// The version that the queue was last brought to.
    pub fn last_sync_resource_version(&self) -> Str {
        self.reflector.last_sync_resource_version()
    }
}

impl<K: Object, Q> fmt::Debug for SingleInformer<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SingleInformer({:?})", self.reflector)
    }
}

impl<Q> fmt::Debug for SingleInformerHandle<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SingleInformerHandle({:?})", self.reflector)
    }
}

#[cfg(test)]
mod tests;
