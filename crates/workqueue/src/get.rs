//! Waiting for a key, in a task or in a thread.

use std::fmt;
use std::future::Future;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use tokio::task::coop::poll_proceed;
use tokio::time::{Sleep, sleep_until};

use crate::core::{Nanos, Run};
use crate::item::Item;
use crate::shared::{Shared, Step};
use crate::sync::{Thread, current, park, park_timeout};

/// The future of [`WorkQueue::get`](crate::WorkQueue::get) and [`Item::next`]: waits for a key.
///
/// **Cancellation**: cancel-safe. If it is dropped before it is ready, it has taken no key, and a wake-up meant
/// for it goes to another waiter. In a tokio task it takes part in the task's budget: a loop that never runs
/// out of work still yields to other tasks.
///
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// # use client_rs_workqueue::WorkQueue;
/// let queue = WorkQueue::new();
/// let cancelled = queue.get();
/// drop(cancelled);
/// queue.add("web");
/// assert_eq!(*queue.get().await.unwrap(), "web");
/// # }
/// ```
#[must_use = "a future does nothing unless polled"]
pub struct Get<K: Hash + Eq> {
    /// Moves into the item.
    shared: Option<Arc<Shared<K>>>,
    /// The run to end first, if there is one.
    last: Option<Run>,
    /// The number of this waiter, once it waits.
    waiter: Option<u32>,
    /// Made when this waiter first becomes the timekeeper.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<K: Hash + Eq> Get<K> {
    #[inline]
    pub(crate) fn new(shared: Option<Arc<Shared<K>>>, last: Option<Run>) -> Self {
        Self { shared, last, waiter: None, timer: None }
    }

    /// Ends the previous run, if that has not happened yet.
    #[inline]
    fn release(&mut self) {
        if let Some(shared) = &self.shared
            && let Some(last) = self.last.take()
        {
            shared.end(last);
        }
    }
}

impl<K: Hash + Eq + Clone> Get<K> {
    /// Returns a key or the end of the queue. Otherwise the error is the deadline to wait for; `None` waits for a wake-up.
    #[inline]
    fn step(&mut self, waker: Option<&Waker>) -> Result<Option<Item<K>>, Option<Nanos>> {
        let Some(shared) = &self.shared else { return Ok(None) };
        let step = match self.last.take() {
            Some(last) => shared.turn(last, &mut self.waiter, waker),
            None => shared.take(&mut self.waiter, waker),
        };
        match step {
            Step::Item(key, taken) => Ok(self.shared.take().map(|shared| Item::new(shared, key, taken))),
            Step::ShutDown => Ok(None),
            Step::Wait(until) => Err(until),
        }
    }

    /// Waits by parking the thread.
    pub(crate) fn wait(mut self) -> Option<Item<K>> {
        // A worker that is kept busy never needs a waker.
        if let Ok(outcome) = self.step(None) {
            return outcome;
        }
        let (parker, waker) = Parker::new();
        loop {
            match self.step(Some(&waker)) {
                Ok(outcome) => return outcome,
                Err(until) => parker.wait(until.map(|until| self.nanos_to(until))),
            }
        }
    }

    /// Returns a key if there is one, without waiting.
    pub(crate) fn now(mut self) -> Option<Item<K>> {
        self.step(None).unwrap_or_default()
    }

    fn nanos_to(&self, until: Nanos) -> Nanos {
        self.shared.as_ref().map_or(0, |shared| until.saturating_sub(shared.clock().now()))
    }
}

impl<K: Hash + Eq + Clone> Future for Get<K> {
    type Output = Option<Item<K>>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // A worker that never runs out of work must still let the other tasks of its thread run.
        let Poll::Ready(budget) = poll_proceed(context) else {
            self.release();
            return Poll::Pending;
        };
        loop {
            let until = match self.step(Some(context.waker())) {
                Ok(outcome) => {
                    budget.made_progress();
                    return Poll::Ready(outcome);
                }
                Err(None) => return Poll::Pending,
                Err(Some(until)) => until,
            };
            let Self { shared: Some(shared), timer, .. } = &mut *self else { return Poll::Ready(None) };
            let until = shared.clock().instant(until);
            let timer = timer.get_or_insert_with(|| Box::pin(sleep_until(until)));
            if timer.deadline() != until {
                timer.as_mut().reset(until);
            }
            if timer.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
        }
    }
}

impl<K: Hash + Eq> Drop for Get<K> {
    #[inline]
    fn drop(&mut self) {
        self.release();
        if let Some(shared) = &self.shared
            && let Some(number) = self.waiter
        {
            shared.cancel(number);
        }
    }
}

impl<K: Hash + Eq> fmt::Debug for Get<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Get").finish_non_exhaustive()
    }
}

/// Wakes a thread.
struct Parker {
    thread: Thread,
    woken: AtomicBool,
}

impl Parker {
    fn new() -> (Arc<Self>, Waker) {
        let parker = Arc::new(Self { thread: current(), woken: AtomicBool::new(false) });
        (Arc::clone(&parker), Waker::from(parker))
    }

    /// Waits until woken, or for at most this many nanoseconds.
    fn wait(&self, at_most: Option<Nanos>) {
        while !self.woken.swap(false, Ordering::Acquire) {
            match at_most {
                None => park(),
                Some(at_most) => return park_timeout(Duration::from_nanos(at_most)),
            }
        }
    }
}

impl Wake for Parker {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// The future of [`WorkQueue::shutdown_with_drain`](crate::WorkQueue::shutdown_with_drain): waits until no key
/// is in progress.
///
/// **Cancellation**: dropping it stops the wait. The queue stays shut down.
#[must_use = "the queue is shut down already, but nothing waits for the drain unless this is awaited"]
pub struct Drain<K> {
    shared: Arc<Shared<K>>,
    /// The number of plain shut-downs when the drain began.
    since: u64,
    waiter: Option<u32>,
}

impl<K> Drain<K> {
    pub(crate) fn new(shared: Arc<Shared<K>>, since: u64) -> Self {
        Self { shared, since, waiter: None }
    }

    /// Waits by parking the thread, for callers without a runtime.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// let item = queue.try_get().unwrap();
    /// let worker = std::thread::spawn(move || item.done());
    /// queue.shutdown_with_drain().wait_blocking();
    /// assert_eq!(queue.processing(), 0);
    /// # worker.join().unwrap();
    /// ```
    pub fn wait_blocking(mut self) {
        let (parker, waker) = Parker::new();
        while !self.shared.drained(self.since, &mut self.waiter, &waker) {
            parker.wait(None);
        }
    }
}

impl<K> Future for Drain<K> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Self { shared, since, waiter } = &mut *self;
        if shared.drained(*since, waiter, context.waker()) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl<K> Drop for Drain<K> {
    fn drop(&mut self) {
        if let Some(number) = self.waiter {
            self.shared.cancel_drain(number);
        }
    }
}

impl<K> fmt::Debug for Drain<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain").finish_non_exhaustive()
    }
}
