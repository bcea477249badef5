//! [`observe_reads`]: reads of caches that do not have their first list.

use std::cell::Cell;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use client_rs_machinery::in_scope;

thread_local! {
    /// The observer of the future that this thread polls.
    static OBSERVER: Cell<Option<Arc<dyn ReadObserver>>> = const { Cell::new(None) };
}

/// Is notified when a future reads a cache that is not complete. Called on the task that reads, so it must not block.
pub trait ReadObserver: Send + Sync {
    /// The future reads the cache of an informer that does not have its first list yet: an object that it does not find may exist.
    fn unsynced_read(&self, informer: &str);
}

/// Runs a future and notifies an observer of every read of an informer's cache that does not have its first list yet.
///
/// Reads of listers and indexers count (except [`Indexer::stored`](crate::Indexer::stored)), if the future itself makes them: not
/// those of tasks that it spawns. If scopes are nested, the innermost one is notified. A read of a complete cache costs one
/// comparison more.
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// use std::sync::{Arc, Mutex};
///
/// use client_rs_cache::{InformerOptions, MemoryListWatch, ReadObserver, SharedInformer, observe_reads};
/// use client_rs_machinery::{GroupResource, ObjectKey};
///
/// #[derive(Default)]
/// struct Early(Mutex<Vec<String>>);
///
/// impl ReadObserver for Early {
///     fn unsynced_read(&self, informer: &str) {
///         self.0.lock().unwrap().push(informer.to_owned());
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let source = MemoryListWatch::<PartialObjectMetadata>::new();
/// let informer = SharedInformer::with_options(source, InformerOptions::default().with_name("pods"));
/// let pods = informer.lister(GroupResource::new("", "pods"));
/// let early = Arc::new(Early::default());
/// observe_reads(early.clone(), async {
///     pods.get(&ObjectKey::new("shop", "web")).unwrap_err();
///     let _running = informer.spawn();
///     informer.synced().await;
///     pods.get(&ObjectKey::new("shop", "web")).unwrap_err();
/// })
/// .await;
/// assert_eq!(*early.0.lock().unwrap(), ["pods"]);
/// # }
/// ```
pub fn observe_reads<F: Future>(
    observer: Arc<dyn ReadObserver>,
    future: F,
) -> impl Future<Output = F::Output> {
    in_scope(Some(observer), exchange, future)
}

/// Exchanges an observer with that of the thread.
#[inline]
fn exchange(observer: &mut Option<Arc<dyn ReadObserver>>) {
    // A thread that ends has none.
    let _ = OBSERVER.try_with(|current| *observer = current.replace(observer.take()));
}

/// Whether the first list of an informer's store is missing. That of other stores is not awaited.
#[derive(Default)]
pub(crate) struct FirstList {
    is_missing: AtomicBool,
    informer: OnceLock<String>,
}

impl FirstList {
    /// The store is that of an informer that has no list yet.
    pub(crate) fn await_for(&self, informer: &str) {
        let _ = self.informer.set(informer.to_owned());
        self.is_missing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn arrived(&self) {
        self.is_missing.store(false, Ordering::Relaxed);
    }

    /// Reports a read to the observer of the current task, if the list is missing.
    #[inline]
    pub(crate) fn on_read(&self) {
        if self.is_missing.load(Ordering::Relaxed) {
            self.report();
        }
    }

    #[cold]
    fn report(&self) {
        let current = OBSERVER.try_with(|current| {
            let observer = current.take();
            current.set(observer.clone());
            observer
        });
        // Without an observer nobody wants to know.
        if let Ok(Some(observer)) = current {
            observer.unsynced_read(self.informer.get().map_or("", String::as_str));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use tokio::task::yield_now;

    use super::*;

    /// Counts reads.
    #[derive(Default)]
    struct Count(AtomicU64);

    impl ReadObserver for Count {
        fn unsynced_read(&self, informer: &str) {
            assert_eq!(informer, "pods");
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[tokio::test]
    async fn the_innermost_observer_of_the_future_that_is_polled_is_notified() {
        let list = FirstList::default();
        list.await_for("pods");
        let read = || async {
            yield_now().await;
            list.on_read();
            yield_now().await;
        };
        let counts: [Arc<Count>; 3] = Default::default();
        let [outer, inner, other] = counts.clone();
        let nested = observe_reads(outer, async {
            read().await;
            observe_reads(inner, read()).await;
            read().await;
        });
        let beside = observe_reads(other, async {
            read().await;
            read().await;
        });
        tokio::join!(nested, beside, read());
        list.arrived();
        read().await;
        assert_eq!(counts.map(|count| count.0.load(Ordering::Relaxed)), [2, 1, 2]);
    }
}
