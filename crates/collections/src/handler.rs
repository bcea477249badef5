//! [`LiveHandler`]: handlers of a collection, and work queues behind it.

use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use client_rs_cache::EventHandler;
use client_rs_workqueue::{WorkQueue, panic_message};
use tokio::task::JoinHandle;

use crate::task::logged;
use crate::{Graph, Key, LiveChange, LiveSet};

/// The pause after a panic of a handler, as that of an informer's.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// A handler of a collection; see [`Graph::add_handler`] and [`Graph::enqueue`]. Dropping it removes the handler.
#[derive(Debug)]
#[must_use = "dropping it removes the handler"]
pub struct LiveHandler {
    task: JoinHandle<()>,
}

impl Graph {
    /// Adds a handler with the interface of an informer's: it is notified of existing entries first, then of each
    /// change. It runs in a task of the current tokio runtime, one call at a time, and must not block. A panic is logged, and the next
    /// call comes a second later. The change that caused it is not repeated.
    ///
    /// ```
    /// use client_rs_cache::Notification;
    /// use client_rs_collections::Graph;
    /// use tokio::sync::mpsc;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let graph = Graph::new();
    /// let names = graph.constant("names", [(1, "one")]);
    /// let (sender, mut added) = mpsc::channel(1);
    /// let handler = graph.add_handler(&names, move |notification: &Notification<&'static str>| {
    ///     if let Notification::Added { object, .. } = notification {
    ///         let _ = sender.try_send(**object);
    ///     }
    /// });
    /// assert_eq!(added.recv().await, Some("one"));
    /// drop(handler);
    /// # }
    /// ```
    pub fn add_handler<K: Key, V: Send + Sync + 'static>(
        &self,
        set: &LiveSet<K, V>,
        handler: impl EventHandler<V>,
    ) -> LiveHandler {
        self.follow(set, move |change| {
            if let Some(notification) = change.notification() {
                handler.handle(&notification);
            }
        })
    }

    /// Enqueues keys for each changed entry: existing entries first, then each change. With the queue of a
    /// controller, derived entries cause its runs; the reconcile function reads a [snapshot](Self::snapshot), which
    /// is never older than the change. It runs in a task of the current tokio runtime.
    ///
    /// An entry that changes while it waits is enqueued once: the queue deduplicates, and a lagging observer merges. A panic of `keys` is
    /// logged, and the next call comes a second later. The change that caused it is not repeated.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    /// use client_rs_workqueue::WorkQueue;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let graph = Graph::new();
    /// let routes = graph.constant("routes", [("shop", 80)]);
    /// let queue = WorkQueue::<&str>::default();
    /// let _handler = graph.enqueue(&routes, &queue, |change| [change.key]);
    /// assert_eq!(*queue.get().await.unwrap().key(), "shop");
    /// # }
    /// ```
    pub fn enqueue<K: Key, V: Send + Sync + 'static, Q: Hash + Eq + Clone + Send + 'static, I>(
        &self,
        set: &LiveSet<K, V>,
        queue: &WorkQueue<Q>,
        keys: impl Fn(&LiveChange<K, V>) -> I + Send + 'static,
    ) -> LiveHandler
    where
        I: IntoIterator<Item = Q>,
    {
        let queue = queue.clone();
        self.follow(set, move |change| {
            for key in keys(change) {
                queue.add(key);
            }
        })
    }

    fn follow<K: Key, V: Send + Sync + 'static>(
        &self,
        set: &LiveSet<K, V>,
        handle: impl Fn(&LiveChange<K, V>) + Send + 'static,
    ) -> LiveHandler {
        let mut observer = self.observe(set);
        let collection = self.lock().nodes.store::<K, V>(set.handle().slot()).name.clone();
        let follow = async move {
            loop {
                for change in observer.next().await.list {
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| handle(&change))) {
                        tracing::error!(
                            collection,
                            panic = panic_message(&*panic),
                            "handler of a derived collection panicked, continues in a second"
                        );
                        tokio::time::sleep(AFTER_PANIC).await;
                    }
                }
                // A collection that always changes leaves room for other tasks.
                tokio::task::yield_now().await;
            }
        };
        LiveHandler { task: tokio::spawn(logged("the handler of a derived collection", follow)) }
    }
}

impl Drop for LiveHandler {
    fn drop(&mut self) {
        self.task.abort();
    }
}
