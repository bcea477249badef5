//! A handler that is a stream.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use client_rs_machinery::Object;
use futures_core::Stream;

use super::listener::{InDelivery, Listener};
use super::{Notification, Registration};

/// Notifications as a stream. It ends when the informer has stopped; dropping it ends the
/// subscription.
///
/// The same promises as a handler's. A notification counts as handled when the next one is asked for: that is
/// when [`Registration::has_synced`] moves on.
#[must_use = "the subscription ends when this is dropped"]
pub struct Subscription<K: Object> {
    listener: Arc<Listener<K>>,
    current: Option<InDelivery<K>>,
    registration: Registration,
    /// Ends the subscription at the processor.
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

    /// The handle that says whether everything that was there from the start has been handled.
    pub fn registration(&self) -> &Registration {
        &self.registration
    }

    /// The next notification; `None` when the informer has stopped.
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
