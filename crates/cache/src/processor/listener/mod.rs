//! The queue of one handler, and the task or the thread that empties it.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use client_rs_machinery::{Object, canary};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::inline::AT_ONCE;
use super::pending::{Pending, Pushed};
use super::registration::SyncState;
use super::threads::{Job, Threads};
use super::{AsyncEventHandler, Delivery, EventHandler, Execution, Notification};
use crate::store::{Change, Stored};
use crate::sync::{Mutex, MutexGuard};
use crate::transform::panic_message;

/// The pause after a panic of a handler.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// The queue of one handler.
pub(crate) struct Listener<K> {
    inbox: Mutex<Inbox<K>>,
    synced: watch::Sender<SyncState>,
    /// The informer waits for the handler while more than this many notifications wait.
    pace: usize,
}

struct Inbox<K> {
    pending: Pending<K>,
    /// The number of initial additions that the handler has not finished.
    initial: usize,
    /// Whether the cache has its first list.
    upstream: bool,
    /// The reader that waits for the next notification.
    reader: Option<Waker>,
    /// The handler that is not async, while the listener is open and nobody calls it.
    handler: Option<Arc<dyn EventHandler<K>>>,
    /// Where it runs.
    execution: Execution,
    turn: Turn,
    /// The task of that handler, which waits for its end, a panic, or a turn that was handed over.
    keeper: Option<Waker>,
    /// The informer, while it waits for the handler to catch up.
    pacer: Option<Waker>,
    closed: bool,
    panics: u64,
    delivered: u64,
}

/// The state of a handler that is not async: one task or thread at a time calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// There is no such handler, or it has not started.
    Never,
    /// Nothing waits. The next notification makes the handler ready.
    Idle,
    /// It waits for the informer or a thread, or runs on it.
    Taken,
    /// More waits than it gets in one turn. Its task continues.
    HandedOver,
    /// It panicked, and pauses.
    Paused,
    /// No thread will run it any more.
    Abandoned,
}

/// A handler in its turn. Who calls a handler owns it: when the turn is over, nobody else refers to it.
struct InTurn<'a, K: Object> {
    listener: &'a Listener<K>,
    handler: Option<Arc<dyn EventHandler<K>>>,
}

/// The outcome of [`push`](Listener::push).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) struct Queued {
    /// The informer must [wait](Listener::poll_caught_up) for the handler.
    pub(crate) behind: bool,
    /// Where the caller must run the listener as a [`Job`], if it must be run.
    pub(crate) runs: Option<Execution>,
}

/// The progress of a listener.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) pending: usize,
    pub(crate) oldest: Option<Instant>,
    pub(crate) merged: u64,
    pub(crate) delivered: u64,
    pub(crate) panics: u64,
    pub(crate) synced: bool,
}

/// Why the task of a handler that is not async has something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    Panic,
    /// The task must run the listener.
    HandedOver,
}

/// The next step in the turn of a handler.
enum Next<K> {
    Change(Change<K>),
    /// The turn has ended.
    TurnOver,
    /// The listener is closed. The turn ends when the handler is dropped.
    Closed,
}

/// A notification in delivery. It counts as delivered when this is dropped.
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
                handler: None,
                execution: Execution::Blocking,
                turn: Turn::Never,
                keeper: None,
                pacer: None,
                closed: false,
                panics: 0,
                delivered: 0,
            }),
            synced: watch::Sender::new(SyncState::Waiting),
        }
    }

    /// Queues changes, in order. Objects that nobody may need any more are added to `displaced`: the caller drops them without a lock, and
    /// keeps the changes until then.
    pub(crate) fn push(
        &self,
        changes: impl IntoIterator<Item = Change<K>>,
        now: Instant,
        displaced: &mut Vec<Stored<K>>,
    ) -> Queued {
        let mut inbox = self.lock();
        if inbox.closed {
            return Queued { behind: false, runs: None };
        }
        for change in changes {
            inbox.initial += usize::from(change.is_initial());
            if let Pushed::Cancelled { was_initial: true } = inbox.pending.push(change, now, displaced) {
                inbox.initial -= 1;
            }
        }
        self.look_whether_synced(&inbox);
        let (behind, runs) = (inbox.pending.len() > self.pace, inbox.is_ready().then_some(inbox.execution));
        if inbox.pending.len() > 0 {
            let reader = inbox.reader.take();
            drop(inbox);
            reader.into_iter().for_each(Waker::wake);
        }
        Queued { behind, runs }
    }

    /// Returns whether the informer waits for the handler when it lags.
    pub(crate) fn is_paced(&self) -> bool {
        self.pace != usize::MAX
    }

    /// Ready once the handler no longer lags: at most `pace` notifications wait, or it is closed. For one
    /// informer at a time.
    pub(crate) fn poll_caught_up(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut inbox = self.lock();
        if inbox.closed || inbox.pending.len() <= self.pace {
            inbox.pacer = None;
            return Poll::Ready(());
        }
        inbox.pacer = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Notes that the cache has its first list.
    pub(crate) fn set_upstream_synced(&self) {
        let mut inbox = self.lock();
        inbox.upstream = true;
        self.look_whether_synced(&inbox);
    }

    /// Closes the queue: drops the waiting notifications. A call in progress runs to its end.
    pub(crate) fn close(&self) {
        let mut inbox = self.lock();
        // Dropped last, and not under a lock: they are the user's.
        let _dropped = (inbox.pending.take(), inbox.handler.take());
        self.end(inbox);
    }

    /// Closes the queue, and keeps what it holds.
    fn end(&self, mut inbox: MutexGuard<'_, Inbox<K>>) {
        inbox.closed = true;
        let waiting = [inbox.reader.take(), inbox.pacer.take(), inbox.keeper.take()];
        drop(inbox);
        waiting.into_iter().flatten().for_each(Waker::wake);
        // Ends every wait for the sync, even while a reader still holds this.
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

    /// Writes the waiting notifications, to recognize the state.
    #[cfg(feature = "sim")]
    pub(crate) fn fingerprint(&self, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
        let inbox = self.lock();
        write!(out, "{}{}", inbox.initial, inbox.upstream)?;
        inbox.pending.changes().try_for_each(|change| write!(out, "{change:?}"))
    }

    /// Returns the waker of the informer if it waits and the handler has caught up to half the limit, so that
    /// the two do not alternate at every event.
    fn pacer(&self, inbox: &mut Inbox<K>) -> Option<Waker> {
        if inbox.pacer.is_some() && inbox.pending.len() <= self.pace / 2 { inbox.pacer.take() } else { None }
    }

    /// Waits for the next notification; `None` when the listener is closed. For one reader at a time.
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

    /// Makes the notification of a change. A change that cannot be unpacked counts as delivered, so that nothing waits for it.
    fn unpacked(self: &Arc<Self>, change: Change<K>) -> Option<(Notification<K>, InDelivery<K>)> {
        let delivery = InDelivery { listener: self.clone(), is_initial: change.is_initial() };
        Some((Notification::from_change(change)?, delivery))
    }

    async fn next(self: &Arc<Self>) -> Option<(Notification<K>, InDelivery<K>)> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Notifies a handler in the turns of the informer until the listener is closed: [`push`](Self::push) makes it ready.
    pub(crate) async fn run_inline(self: Arc<Self>, handler: Arc<dyn EventHandler<K>>) {
        let ready = self.attach(handler, Execution::Inline);
        let run = || {
            let _ = (&*self as &dyn Job).run_or_abandon(AT_ONCE);
        };
        self.keep(ready, run).await;
    }

    /// Notifies a handler on threads until the listener is closed: [`push`](Self::push) makes it ready.
    pub(crate) async fn run_on_threads(
        self: Arc<Self>,
        handler: Arc<dyn EventHandler<K>>,
        threads: Arc<Threads>,
    ) {
        let (ready, runtime) = (self.attach(handler, Execution::Blocking), Handle::current());
        self.keep(ready, || threads.run([self.clone() as Arc<dyn Job>], &runtime)).await;
    }

    /// Waits for the end. Runs the listener when nobody else does: at first, when a turn was handed over, and after a panic.
    async fn keep(&self, mut ready: bool, run: impl Fn()) {
        loop {
            if ready {
                run();
                // Other tasks get their turn.
                tokio::task::yield_now().await;
            }
            match poll_fn(|cx| self.poll_interruption(cx)).await {
                // If it was abandoned, it still has its handler.
                None => return self.close(),
                Some(Interruption::HandedOver) => ready = true,
                Some(Interruption::Panic) => {
                    tokio::time::sleep(AFTER_PANIC).await;
                    ready = self.resume();
                }
            }
        }
    }

    /// Ends the pause of a handler that has panicked. Returns whether the listener must be run at once.
    pub(crate) fn resume(&self) -> bool {
        let mut inbox = self.lock();
        inbox.turn = Turn::Idle;
        !inbox.closed && inbox.is_ready()
    }

    /// Sets a handler that is not async. Returns whether the listener must be run at once.
    pub(crate) fn attach(&self, handler: Arc<dyn EventHandler<K>>, execution: Execution) -> bool {
        let mut inbox = self.lock();
        if inbox.closed {
            return false;
        }
        inbox.handler = Some(handler);
        inbox.execution = execution;
        inbox.turn = Turn::Idle;
        inbox.is_ready()
    }

    /// Waits until the keeper of a handler has something to do, or for the end: `None`.
    pub(crate) fn poll_interruption(&self, cx: &mut Context<'_>) -> Poll<Option<Interruption>> {
        let mut inbox = self.lock();
        match inbox.turn {
            Turn::Abandoned => Poll::Ready(None),
            Turn::Idle | Turn::Never if inbox.closed => Poll::Ready(None),
            Turn::Paused => Poll::Ready(Some(Interruption::Panic)),
            Turn::HandedOver => {
                inbox.turn = Turn::Taken;
                Poll::Ready(Some(Interruption::HandedOver))
            }
            Turn::Idle | Turn::Never | Turn::Taken => {
                inbox.keeper = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    /// Ends the turn of a handler.
    fn end_turn(&self, turn: Turn) {
        let mut inbox = self.lock();
        inbox.turn = turn;
        let keeper = inbox.keeper.take();
        drop(inbox);
        keeper.into_iter().for_each(Waker::wake);
    }

    /// The next change of a turn, and the end of the last one, with whether that was initial: one lock for both. Ends the
    /// turn if there is none, or if the turn gets no further one.
    fn next_of_turn(&self, last: Option<bool>, is_over: bool, called: &mut InTurn<'_, K>) -> Next<K> {
        let mut inbox = self.lock();
        if let Some(is_initial) = last {
            self.count_delivered(&mut inbox, is_initial);
        }
        let is_over = is_over && inbox.pending.len() > 0;
        if inbox.closed {
            return Next::Closed;
        }
        let change = if is_over { None } else { inbox.pending.pop() };
        let woken = if change.is_some() {
            self.pacer(&mut inbox)
        } else {
            inbox.handler = called.handler.take();
            inbox.turn = if is_over { Turn::HandedOver } else { Turn::Idle };
            // If nothing waits, the task has nothing to do.
            if is_over { inbox.keeper.take() } else { None }
        };
        drop(inbox);
        woken.into_iter().for_each(Waker::wake);
        change.map_or(Next::TurnOver, Next::Change)
    }

    /// Does the work of [`run`](Self::run) for an async handler.
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

    /// Ends the turn of a handler that has panicked.
    fn pause(&self, called: &mut InTurn<'_, K>, is_initial: bool) {
        let mut inbox = self.lock();
        self.count_delivered(&mut inbox, is_initial);
        if inbox.closed {
            drop(inbox);
            drop(called.handler.take());
            return self.end_turn(Turn::Idle);
        }
        inbox.handler = called.handler.take();
        inbox.turn = Turn::Paused;
        let keeper = inbox.keeper.take();
        drop(inbox);
        keeper.into_iter().for_each(Waker::wake);
    }

    fn note_panic(&self, panic: &(dyn std::any::Any + Send)) {
        self.lock().panics += 1;
        tracing::error!(panic = panic_message(panic), "event handler panicked, continues in a second");
    }

    fn count_delivered(&self, inbox: &mut Inbox<K>, is_initial: bool) {
        inbox.delivered += 1;
        if is_initial && !canary!(25) {
            inbox.initial -= 1;
            self.look_whether_synced(inbox);
        }
    }

    fn look_whether_synced(&self, inbox: &Inbox<K>) {
        if inbox.upstream && inbox.initial == 0 && *self.synced.borrow() == SyncState::Waiting {
            self.synced.send_replace(SyncState::Synced);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inbox<K>> {
        // No user code runs under the lock: a panic there is a bug of this crate, and affects only counters.
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Object> Drop for InDelivery<K> {
    fn drop(&mut self) {
        self.listener.count_delivered(&mut self.listener.lock(), self.is_initial);
    }
}

impl<K: Object> InTurn<'_, K> {
    fn handle(&self, notification: &Notification<K>) {
        if let Some(handler) = &self.handler {
            handler.handle(notification);
        }
    }
}

impl<K: Object> Drop for InTurn<'_, K> {
    fn drop(&mut self) {
        // A panic outside of a call: the task of the handler drops it.
        if let Some(handler) = self.handler.take() {
            self.listener.lock().handler = Some(handler);
        }
    }
}

impl<K: Object> Inbox<K> {
    /// Whether a handler that is not async has to be run. Then it is taken.
    fn is_ready(&mut self) -> bool {
        let ready = self.turn == Turn::Idle && self.pending.len() > 0;
        if ready {
            self.turn = Turn::Taken;
        }
        ready
    }
}

impl<K: Object> Job for Listener<K> {
    fn run(&self, most: usize) -> usize {
        let mut called = InTurn { listener: self, handler: self.lock().handler.take() };
        let (mut last, mut count) = (None, 0);
        if called.handler.is_none() {
            self.end_turn(Turn::Idle);
            return count;
        }
        loop {
            let change = match self.next_of_turn(last, count >= most, &mut called) {
                Next::Change(change) => change,
                Next::TurnOver => return count,
                // A caller that waits for the end of the handler finds it dropped.
                Next::Closed => {
                    drop(called.handler.take());
                    self.end_turn(Turn::Idle);
                    return count;
                }
            };
            count += 1;
            let is_initial = change.is_initial();
            last = Some(is_initial);
            // A change that cannot be unpacked counts as delivered.
            let Some(notification) = Notification::from_change(change) else { continue };
            let outcome = catch_unwind(AssertUnwindSafe(|| called.handle(&notification)));
            // Release the objects before the delivery counts: a caller that waits for it may check their reference counts.
            drop(notification);
            if let Err(panic) = outcome {
                self.note_panic(&*panic);
                self.pause(&mut called, is_initial);
                return count;
            }
        }
    }

    fn abandon(&self) {
        let mut inbox = self.lock();
        inbox.turn = Turn::Abandoned;
        // The informer does not wait for it to catch up. Its task drops the handler and the notifications: this may run under the
        // informer's lock.
        self.end(inbox);
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

#[cfg(test)]
mod tests;
