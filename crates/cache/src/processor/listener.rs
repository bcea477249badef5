//! A handler's queue, and the task that empties it.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use client_rs_machinery::Object;
use tokio::sync::watch;

use super::pending::{Pending, Pushed};
use super::registration::SyncState;
use super::{AsyncEventHandler, Delivery, EventHandler, Execution, Notification, threads};
use crate::store::Change;
use crate::sync::{Mutex, MutexGuard};
use crate::transform::panic_message;

/// How long a handler that panicked is left alone.
const AFTER_PANIC: Duration = Duration::from_secs(1);
/// How many notifications are delivered before other tasks get their turn.
const AT_ONCE: usize = 128;

/// The queue of one handler.
pub(crate) struct Listener<K> {
    inbox: Mutex<Inbox<K>>,
    synced: watch::Sender<SyncState>,
    /// From more than this many on, the informer waits for the handler.
    pace: usize,
}

struct Inbox<K> {
    pending: Pending<K>,
    /// Initial additions that the handler has not returned from.
    initial: usize,
    /// Has the cache had its first list?
    upstream: bool,
    /// Who waits for the next notification.
    reader: Option<Waker>,
    /// The informer, while it waits for the handler to catch up.
    pacer: Option<Waker>,
    closed: bool,
    panics: u64,
    delivered: u64,
}

/// How a listener is doing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) pending: usize,
    pub(crate) oldest: Option<Instant>,
    pub(crate) merged: u64,
    pub(crate) delivered: u64,
    pub(crate) panics: u64,
    pub(crate) synced: bool,
}

/// A taken notification, which counts as delivered when this is dropped.
pub(crate) struct InDelivery<K: Object> {
    listener: Arc<Listener<K>>,
    is_initial: bool,
}

impl<K: Object> Listener<K> {
    pub(crate) fn new(delivery: Delivery) -> Self {
        Self {
            pace: delivery.pace(),
            inbox: Mutex::new(Inbox {
                pending: Pending::new(delivery.merges_from()),
                initial: 0,
                upstream: false,
                reader: None,
                pacer: None,
                closed: false,
                panics: 0,
                delivered: 0,
            }),
            synced: watch::Sender::new(SyncState::Waiting),
        }
    }

    /// Queues changes, in order. True if the informer has to [wait](Self::poll_caught_up) for the handler.
    pub(crate) fn push(&self, changes: impl IntoIterator<Item = Change<K>>, now: Instant) -> bool {
        let mut inbox = self.lock();
        if inbox.closed {
            return false;
        }
        for change in changes {
            inbox.initial += usize::from(change.is_initial());
            if let Pushed::Cancelled { was_initial: true } = inbox.pending.push(change, now) {
                inbox.initial -= 1;
            }
        }
        self.look_whether_synced(&inbox);
        let behind = inbox.pending.len() > self.pace;
        if inbox.pending.len() > 0 {
            let reader = inbox.reader.take();
            drop(inbox);
            reader.into_iter().for_each(Waker::wake);
        }
        behind
    }

    /// Does the informer wait for the handler when it is behind?
    pub(crate) fn is_paced(&self) -> bool {
        self.pace != usize::MAX
    }

    /// Ready once the handler is not behind: no more wait than its pace allows, or it is closed. One informer at a
    /// time.
    pub(crate) fn poll_caught_up(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut inbox = self.lock();
        if inbox.closed || inbox.pending.len() <= self.pace {
            inbox.pacer = None;
            return Poll::Ready(());
        }
        inbox.pacer = Some(cx.waker().clone());
        Poll::Pending
    }

    /// The cache has had its first list.
    pub(crate) fn set_upstream_synced(&self) {
        let mut inbox = self.lock();
        inbox.upstream = true;
        self.look_whether_synced(&inbox);
    }

    /// Ends it: what waits is dropped, a call in progress may end.
    pub(crate) fn close(&self) {
        let mut inbox = self.lock();
        inbox.closed = true;
        inbox.pending.clear();
        let waiting = [inbox.reader.take(), inbox.pacer.take()];
        drop(inbox);
        waiting.into_iter().flatten().for_each(Waker::wake);
        // Who waits for it to be synced waits no longer, even while a reader still holds this.
        self.synced.send_if_modified(|synced| {
            let waits = *synced == SyncState::Waiting;
            if waits {
                *synced = SyncState::Over;
            }
            waits
        });
    }

    pub(crate) fn synced(&self) -> watch::Receiver<SyncState> {
        self.synced.subscribe()
    }

    pub(crate) fn progress(&self) -> Progress {
        let inbox = self.lock();
        Progress {
            pending: inbox.pending.len(),
            oldest: inbox.pending.oldest(),
            merged: inbox.pending.merged(),
            delivered: inbox.delivered,
            panics: inbox.panics,
            synced: *self.synced.borrow() == SyncState::Synced,
        }
    }

    /// The next notification, if one waits; it counts as delivered when the second part is dropped.
    fn take(self: &Arc<Self>) -> Option<(Notification<K>, InDelivery<K>)> {
        loop {
            let mut inbox = self.lock();
            let change = inbox.pending.pop()?;
            let pacer = self.pacer(&mut inbox);
            drop(inbox);
            pacer.into_iter().for_each(Waker::wake);
            if let Some(next) = self.unpacked(change) {
                return Some(next);
            }
        }
    }

    /// The informer, if it waits and the handler has caught up: by half, so that the two do not take turns at every
    /// event.
    fn pacer(&self, inbox: &mut Inbox<K>) -> Option<Waker> {
        if inbox.pacer.is_some() && inbox.pending.len() <= self.pace / 2 { inbox.pacer.take() } else { None }
    }

    /// The next notification, once there is one; `None` when the listener is closed. One reader at a time.
    pub(crate) fn poll_next(
        self: &Arc<Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(Notification<K>, InDelivery<K>)>> {
        loop {
            let mut inbox = self.lock();
            if inbox.closed {
                return Poll::Ready(None);
            }
            let Some(change) = inbox.pending.pop() else {
                inbox.reader = Some(cx.waker().clone());
                return Poll::Pending;
            };
            let pacer = self.pacer(&mut inbox);
            drop(inbox);
            pacer.into_iter().for_each(Waker::wake);
            if let Some(next) = self.unpacked(change) {
                return Poll::Ready(Some(next));
            }
        }
    }

    /// The notification of a change. What can't be unpacked counts as delivered, so that nobody waits for it.
    fn unpacked(self: &Arc<Self>, change: Change<K>) -> Option<(Notification<K>, InDelivery<K>)> {
        let delivery = InDelivery { listener: self.clone(), is_initial: change.is_initial() };
        Some((Notification::from_change(change)?, delivery))
    }

    async fn next(self: &Arc<Self>) -> Option<(Notification<K>, InDelivery<K>)> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Notifies a handler until the listener is closed.
    pub(crate) async fn run(self: Arc<Self>, handler: Arc<dyn EventHandler<K>>, execution: Execution) {
        while let Some(first) = self.next().await {
            let calm = match execution {
                Execution::Inline => {
                    let calm = self.drain(first, &*handler, AT_ONCE);
                    tokio::task::yield_now().await;
                    calm
                }
                Execution::Blocking => {
                    let (this, handler) = (self.clone(), handler.clone());
                    let drained = threads::run(move || this.drain(first, &*handler, usize::MAX));
                    // A runtime that shuts down runs nothing any more; a panic does not get out of `drain`.
                    let Some(calm) = drained.await else { return };
                    calm
                }
            };
            if !calm {
                tokio::time::sleep(AFTER_PANIC).await;
            }
        }
    }

    /// As [`run`](Self::run), for a handler that may wait.
    pub(crate) async fn run_async(self: Arc<Self>, handler: impl AsyncEventHandler<K>) {
        while let Some((notification, delivery)) = self.next().await {
            let calm = match catch_unwind(AssertUnwindSafe(|| handler.handle(notification))) {
                Ok(future) => caught(future).await,
                Err(panic) => Err(panic),
            };
            drop(delivery);
            if let Err(panic) = calm {
                self.note_panic(&*panic);
                tokio::time::sleep(AFTER_PANIC).await;
            }
        }
    }

    /// Delivers what waits, at most `most`; false after a panic.
    fn drain(
        self: &Arc<Self>,
        first: (Notification<K>, InDelivery<K>),
        handler: &dyn EventHandler<K>,
        most: usize,
    ) -> bool {
        let (mut next, mut count) = (Some(first), 0);
        while let Some((notification, delivery)) = next {
            let outcome = catch_unwind(AssertUnwindSafe(|| handler.handle(&notification)));
            // The objects are released before the delivery counts: who waits for it may look at their number.
            drop(notification);
            drop(delivery);
            if let Err(panic) = outcome {
                self.note_panic(&*panic);
                return false;
            }
            count += 1;
            next = if count < most { self.take() } else { None };
        }
        true
    }

    fn note_panic(&self, panic: &(dyn std::any::Any + Send)) {
        self.lock().panics += 1;
        tracing::error!(panic = panic_message(panic), "an event handler panicked; it goes on in a second");
    }

    fn look_whether_synced(&self, inbox: &Inbox<K>) {
        if inbox.upstream && inbox.initial == 0 && *self.synced.borrow() == SyncState::Waiting {
            self.synced.send_replace(SyncState::Synced);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inbox<K>> {
        // No code of others runs under the lock: a panic there is ours, and leaves counters only.
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Object> Drop for InDelivery<K> {
    fn drop(&mut self) {
        let mut inbox = self.listener.lock();
        inbox.delivered += 1;
        if self.is_initial {
            inbox.initial -= 1;
            self.listener.look_whether_synced(&inbox);
        }
    }
}

/// Runs a future and catches its panic.
pub(crate) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Box<dyn std::any::Any + Send>> {
    let mut future = pin!(future);
    poll_fn(move |cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}
