//! [`Subscription`]: a handler in the form of a stream.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use client_rs_machinery::Object;
use futures_core::Stream;

use super::listener::{InDelivery, Listener};
use super::{Notification, Registration};

/// Notifications as a stream. It ends when the informer has stopped. Dropping it ends the subscription.
///
/// It has the contract of a handler. A notification counts as handled when the next one is requested;
/// [`Registration::has_synced`] follows that.
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
/// use client_rs_cache::{MemoryListWatch, SharedInformer};
/// # let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
///
/// let informer = SharedInformer::new(source);
/// let mut changes = informer.subscribe()?;
/// let running = informer.spawn();
/// assert_eq!(changes.next().await.unwrap().key().to_string(), "default/web");
/// running.shutdown().await?;
/// assert!(changes.next().await.is_none(), "the informer has stopped");
/// # Ok(())
/// # }
/// ```
#[must_use = "the subscription ends when this is dropped"]
pub struct Subscription<K: Object> {
    listener: Arc<Listener<K>>,
    current: Option<InDelivery<K>>,
    registration: Registration,
    /// Removes the subscription from the processor.
    on_drop: Option<Box<dyn FnOnce() + Send>>,
}

impl<K: Object> Subscription<K> {
    pub(crate) fn new(
        listener: Arc<Listener<K>>,
        registration: Registration,
        on_drop: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self { listener, current: None, registration, on_drop: Some(Box::new(on_drop)) }
    }

    /// Returns the handle that reports whether all existing objects have been handled.
    pub fn registration(&self) -> &Registration {
        &self.registration
    }

    /// Waits for the next notification; `None` when the informer has stopped. Cancel-safe.
    pub async fn next(&mut self) -> Option<Notification<K>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }
}

impl<K: Object> Stream for Subscription<K> {
    type Item = Notification<K>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Notification<K>>> {
        self.current = None;
        let next = ready!(self.listener.poll_next(cx));
        Poll::Ready(next.map(|(notification, delivery)| {
            self.current = Some(delivery);
            notification
        }))
    }
}

impl<K: Object> Drop for Subscription<K> {
    fn drop(&mut self) {
        if let Some(end) = self.on_drop.take() {
            end();
        }
    }
}

impl<K: Object> fmt::Debug for Subscription<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Subscription").field(&self.registration).finish()
    }
}
