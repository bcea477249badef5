//! [`Lagging`]: a source whose watch events arrive late.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use client_rs_machinery::Object;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::ListSummary;
use futures_core::Stream;
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep};
use tokio_util::task::AbortOnDropHandle;

use crate::{BoxFuture, Collection, FetchContext, FetchError, ItemSink, ListWatch, WatchStream};

/// How many events may be on their way.
const CAPACITY: usize = 4_096;

/// Delays the events of a watch: for tests of code that reads caches, which are never quite up to date.
///
/// Lists pass at once. Each event of a watch is passed on when the lag is over, in order.
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
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use client_rs_cache::{Lagging, MemoryListWatch, SharedInformer};
///
/// let pods: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
/// let informer = SharedInformer::new(Lagging::new(pods.clone(), Duration::from_secs(2)));
/// let running = informer.spawn();
/// informer.synced().await;
/// tokio::time::sleep(Duration::from_secs(3)).await;
/// pods.put(pod("db", 2));
/// tokio::time::sleep(Duration::from_secs(1)).await;
/// assert_eq!(informer.indexer().len(), 1, "not yet");
/// tokio::time::sleep(Duration::from_secs(2)).await;
/// assert_eq!(informer.indexer().len(), 2);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lagging<L> {
    inner: L,
    lag: Duration,
}

impl<L> Lagging<L> {
    /// Delays the watches of a source.
    pub fn new(inner: L, lag: Duration) -> Self {
        Self { inner, lag }
    }
}

impl<K: Object, L: ListWatch<K>> ListWatch<K> for Lagging<L> {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        self.inner.list(options, cx, items)
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        Box::pin(async move {
            let mut watch = self.inner.watch(options, cx).await?;
            let (sender, receiver) = mpsc::channel(CAPACITY);
            let lag = self.lag;
            let reader = tokio::spawn(async move {
                while let Some(event) = poll_fn(|cx| watch.as_mut().poll_next(cx)).await {
                    if sender.send((Instant::now() + lag, event)).await.is_err() {
                        return;
                    }
                }
            });
            let late = Late { receiver, next: None, _reader: AbortOnDropHandle::new(reader) };
            Ok(Box::pin(late) as WatchStream<K>)
        })
    }

    /// A streamed list would arrive late too.
    fn supports_watch_list(&self) -> bool {
        false
    }

    fn collection(&self) -> Option<Collection> {
        self.inner.collection()
    }
}

struct Late<T> {
    receiver: mpsc::Receiver<(Instant, T)>,
    next: Option<(Pin<Box<Sleep>>, T)>,
    _reader: AbortOnDropHandle<()>,
}

// No event is pinned.
impl<T> Unpin for Late<T> {}

impl<T> Stream for Late<T> {
    type Item = T;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let this = &mut *self;
        loop {
            if let Some((due, _)) = &mut this.next {
                if due.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                return Poll::Ready(this.next.take().map(|(_, event)| event));
            }
            match this.receiver.poll_recv(cx) {
                Poll::Ready(Some((due, event))) => {
                    this.next = Some((Box::pin(tokio::time::sleep_until(due)), event));
                }
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
