//! A key in the hands of a worker.

use std::fmt;
use std::hash::Hash;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use crate::core::{Nanos, Run, Taken};
use crate::get::Get;
use crate::options::AddOptions;
use crate::shared::Shared;

/// A key that was handed out. No other worker gets this key until the item is dropped.
///
/// It dereferences to the key. Dropping it releases the key, also when a panic or a cancelled task drops it: if
/// the key was added in the meantime, it is queued again. Dropping does not retry; for that, call
/// [`retry`](Item::retry) or [`retry_after`](Item::retry_after). A loop over keys ends each round with
/// [`next`](Item::next).
///
///
/// ```
/// # use client_rs_workqueue::WorkQueue;
/// let queue = WorkQueue::new();
/// queue.add("web");
/// let item = queue.try_get().unwrap();
/// assert_eq!((item.len(), queue.processing()), (3, 1), "`len` is the key's");
/// drop(item);
/// assert_eq!((queue.len(), queue.processing()), (0, 0));
/// ```
#[must_use = "the key is released when this is dropped"]
pub struct Item<K: Hash + Eq> {
    ticket: Ticket<K>,
    key: K,
    priority: i32,
    waited: Nanos,
}

impl<K: Hash + Eq> Item<K> {
    #[inline]
    pub(crate) fn new(shared: Arc<Shared<K>>, key: K, taken: Taken) -> Self {
        let ticket = Ticket { shared: Some(shared), run: taken.run };
        Self { ticket, key, priority: taken.priority, waited: taken.waited }
    }

    /// Returns the key.
    pub fn key(&self) -> &K {
        &self.key
    }

    /// Returns the priority with which the key was handed out: zero in a queue without priorities.
    pub fn priority(&self) -> i32 {
        self.priority
    }

    /// Returns how long the key was queued. `None` if the queue has no [metrics](crate::QueueOptions::metrics): then it
    /// reads no clock.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// assert_eq!(queue.try_get().unwrap().waited(), None);
    /// ```
    pub fn waited(&self) -> Option<Duration> {
        let timed = self.ticket.shared.as_ref().is_some_and(|shared| shared.has_metrics());
        timed.then(|| Duration::from_nanos(self.waited))
    }

    /// Releases the key. Dropping the item does the same; this makes it visible.
    pub fn done(self) {
        drop(self);
    }

    /// Takes the key out and keeps it in progress: from then on only
    /// [`WorkQueue::done`](crate::WorkQueue::done) releases it. Use it when the work ends somewhere that cannot
    /// hold the item.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// let key = queue.try_get().unwrap().detach();
    /// assert_eq!(queue.processing(), 1);
    /// assert!(queue.done(&key));
    /// assert_eq!(queue.processing(), 0);
    /// ```
    pub fn detach(self) -> K {
        let Self { mut ticket, key, .. } = self;
        ticket.shared = None;
        key
    }
}

impl<K: Hash + Eq + Clone> Item<K> {
    /// Releases the key and waits for the next one, in one step. Use it in a worker's loop.
    ///
    /// It does the work of [`done`](Item::done) and [`WorkQueue::get`](crate::WorkQueue::get) at about two
    /// thirds of the cost. The key is released when the future is first polled or dropped. Cancel-safe.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_workqueue::WorkQueue;
    /// # let queue = WorkQueue::new();
    /// # (1..=3).for_each(|key| queue.add(key));
    /// # queue.shutdown();
    /// let mut processed = 0;
    /// let mut next = queue.get().await;
    /// while let Some(item) = next {
    ///     processed += 1;
    ///     next = item.next().await;
    /// }
    /// assert_eq!(processed, 3);
    /// # }
    /// ```
    pub fn next(mut self) -> Get<K> {
        let run = self.ticket.run;
        Get::new(self.ticket.shared.take(), Some(run))
    }

    /// Waits like [`next`](Item::next), by parking the thread.
    pub fn next_blocking(self) -> Option<Item<K>> {
        self.next().wait()
    }

    /// Releases a key whose processing failed and adds it again after the wait that the limiter chooses, with
    /// the same priority.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// queue.get().await.unwrap().retry();
    /// assert_eq!((queue.num_requeues(&"web"), queue.waiting()), (1, 1));
    /// let again = queue.get().await.unwrap();
    /// again.forget();
    /// assert_eq!(queue.num_requeues(&"web"), 0);
    /// # }
    /// ```
    pub fn retry(self) {
        self.add_again(None);
    }

    /// Releases the key and adds it again after `delay`, with the same priority. The limiter does not count it
    /// as a failure.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("poll me");
    /// queue.try_get().unwrap().retry_after(Duration::from_secs(60));
    /// assert_eq!((queue.waiting(), queue.num_requeues(&"poll me")), (1, 0));
    /// ```
    pub fn retry_after(self, delay: Duration) {
        self.add_again(Some(delay));
    }

    /// Ends the history of failures of this key, because it succeeded or the worker gives up on it. Does not
    /// release the key.
    pub fn forget(&self) {
        self.shared().forget(&self.key);
    }

    /// Adds the key again after `delay`, or after the wait of the limiter. The key is still in progress.
    pub(crate) fn add_again(&self, delay: Option<Duration>) {
        let options = AddOptions {
            priority: Some(self.priority),
            after: delay.unwrap_or_default(),
            rate_limited: delay.is_none(),
        };
        self.shared().retry(self.key.clone(), &options);
    }

    fn shared(&self) -> &Shared<K> {
        self.ticket.shared.as_ref().expect("an item has its queue until it is consumed")
    }
}

impl<K: Hash + Eq> Deref for Item<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.key
    }
}

impl<K: Hash + Eq + fmt::Debug> fmt::Debug for Item<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Item")
            .field("key", &self.key)
            .field("priority", &self.priority)
            .finish_non_exhaustive()
    }
}

/// The right to end a run. The number of the run makes it harmless once the run has ended.
struct Ticket<K: Hash + Eq> {
    /// `None` once the right has moved on.
    shared: Option<Arc<Shared<K>>>,
    run: Run,
}

impl<K: Hash + Eq> Drop for Ticket<K> {
    #[inline]
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.end(self.run);
        }
    }
}
