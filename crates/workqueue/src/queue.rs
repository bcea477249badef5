//! The public handle of a queue.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use crate::get::{Drain, Get};
use crate::item::Item;
use crate::key_state::KeyState;
use crate::options::{AddOptions, QueueOptions};
use crate::shared::Shared;

/// A queue of keys to process, each by one worker at a time.
///
/// A handle: clones share one queue. Give a clone to each producer and each worker, or give one to a
/// [`WorkerPool`](crate::WorkerPool), which brings its own workers. The [crate's page](crate) explains what a
/// work queue is for and when not to use one.
///
///
/// ```
/// use client_rs_workqueue::WorkQueue;
///
/// let queue = WorkQueue::new();
/// queue.add("web");
/// queue.add("web");
/// assert_eq!(queue.len(), 1, "deduplicated");
///
/// let item = queue.try_get().expect("web is queued");
/// queue.add("web");
/// assert!(queue.try_get().is_none(), "one worker per key");
/// item.done();
/// assert_eq!(*queue.try_get().expect("web was added meanwhile"), "web");
/// ```
///
/// # Contract
/// - **Deduplicated.** However often a key is added before the queue hands it out, it is handed out once.
/// - **One worker per key.** A key that was handed out is not handed out again until its [`Item`] is dropped.
///   If it was added in the meantime, once or many times, it is queued once more at that moment.
/// - **Order.** First in, first out, for the adds of one thread and for adds that happen one after the other. A
///   key that is added while it is processed joins the end of the queue when it is released. [`QueueOptions`]
///   can put priority and fairness before this order.
/// - **Adding never blocks.** Only the number of distinct keys bounds the queue. Memory is that of the keys
///   plus 30 to 45 bytes for each. The queue frees the memory of a burst when it runs empty.
/// - **Cancellation.** [`get`](WorkQueue::get) is cancel-safe. An item that a cancelled task or a panic drops
///   releases its key.
/// - **Shut-down.** From then on adds are ignored and delayed adds that are not due are dropped. Queued keys
///   are still handed out; then `get` returns `None`.
/// - **Not promised:** one run per add, a run after a worker has dropped the key, or any order between keys
///   that different threads add at the same time.
///
/// # Keys
/// `Hash`, `Eq` and `Clone` must be cheap and consistent. The queue clones a key once per handout, so prefer a
/// shared string (`Arc<str>`) over `String`. If one of them panics, no lock stays held and no other key is
/// lost:
/// - `Hash`: the caller gets the panic, and nothing has changed.
/// - `Eq`: the panic reaches the thread that adds, gets or counts at that moment. The key that was being added
///   is lost.
/// - `Clone`: the panic reaches the thread that gets. The key leaves the queue.
pub struct WorkQueue<K> {
    shared: Arc<Shared<K>>,
}

impl<K: Hash + Eq + Clone + Send + 'static> WorkQueue<K> {
    /// Makes a first-in, first-out queue with the rate limiter of client-go's controllers
    /// ([`MaxOf::controller_default`](crate::MaxOf::controller_default)).
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("a");
    /// queue.add("b");
    /// assert_eq!(*queue.try_get().unwrap(), "a");
    /// ```
    pub fn new() -> Self {
        Self::with_options(QueueOptions::default())
    }

    /// Makes a queue with these options.
    ///
    /// With metrics on, and inside a tokio runtime, it spawns one task, which ends with the queue.
    ///
    /// ```
    /// # use client_rs_workqueue::{AddOptions, Priority, QueueOptions, WorkQueue};
    /// let queue = WorkQueue::with_options(QueueOptions::default().with_priority(Priority::default()));
    /// queue.add_with("low", AddOptions::default().with_priority(-10));
    /// queue.add("normal");
    /// assert_eq!(*queue.try_get().unwrap(), "normal");
    /// ```
    pub fn with_options(options: QueueOptions<K>) -> Self {
        let period = options.metrics_period;
        let refreshes = options.metrics.is_some() && !period.is_zero();
        let queue = Self { shared: Arc::new(Shared::new(options)) };
        if refreshes && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let shared = Arc::downgrade(&queue.shared);
            runtime.spawn(async move {
                let mut ticks = tokio::time::interval(period);
                ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
                ticks.tick().await;
                loop {
                    ticks.tick().await;
                    let Some(shared) = shared.upgrade() else { return };
                    if !shared.refresh_metrics() {
                        return;
                    }
                }
            });
        }
        queue
    }

    /// Enqueues a key: an event says that it needs work. In a queue with priorities, this add has priority
    /// zero.
    ///
    /// Returns at once. Ignored after the shut-down.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// queue.add("web");
    /// assert_eq!(queue.len(), 1);
    /// queue.shutdown();
    /// queue.add("db");
    /// assert_eq!(queue.len(), 1);
    /// ```
    pub fn add(&self, key: K) {
        self.shared.add(key);
    }

    /// Adds a key with options: its priority, a delay, rate-limited or not.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::{AddOptions, WorkQueue};
    /// let queue = WorkQueue::new();
    /// queue.add_with("web", AddOptions::default().with_after(Duration::from_secs(30)));
    /// assert_eq!((queue.len(), queue.waiting()), (0, 1));
    /// ```
    pub fn add_with(&self, key: K, options: AddOptions) {
        self.shared.add_with(key, &options);
    }

    /// Adds a key after this delay, or at once if the delay is zero.
    ///
    /// A key that already waits keeps the earlier of both times. Keys that are due at the same time come in the
    /// order of their calls. A delay does not reserve the key: the key may be added and processed in the
    /// meantime, and it still comes when the delay ends. Counted as a retry in the metrics. A delay is exact to
    /// about a millisecond and never early. A delay of more than 584 years never ends.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add_after("resync", Duration::from_secs(600));
    /// queue.add_after("soon", Duration::from_secs(1));
    /// assert_eq!(*queue.get().await.unwrap(), "soon");
    /// assert_eq!(*queue.get().await.unwrap(), "resync");
    /// # }
    /// ```
    pub fn add_after(&self, key: K, delay: Duration) {
        self.shared.retry(key, &AddOptions { after: delay, ..AddOptions::default() });
    }

    /// Adds a key whose processing failed: it comes back after the wait that the limiter chooses.
    ///
    /// # Events do not inflate the backoff
    /// An event may bring a key that is in backoff to a worker early. If that early run fails too, this call
    /// changes nothing: the pending retry keeps its time, and the limiter does not count the failure. So at
    /// most one failure counts between two tries of the backoff itself, and a storm of events on a failing key
    /// leaves its backoff where time alone would have taken it. [`forget`](WorkQueue::forget) ends the backoff
    /// together with the history: the next failure counts as a first one.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add_rate_limited("web");
    /// assert_eq!((queue.len(), queue.waiting()), (0, 1), "5 ms of backoff");
    /// assert_eq!(queue.num_requeues(&"web"), 1);
    /// assert_eq!(*queue.get().await.unwrap(), "web");
    /// # }
    /// ```
    pub fn add_rate_limited(&self, key: K) {
        self.shared.retry(key, &AddOptions { rate_limited: true, ..AddOptions::default() });
    }

    /// Ends the history of failures of a key, because it succeeded or the caller gives up on it: its next
    /// rate-limited add waits as a first one does.
    ///
    /// This removes nothing from the queue: a pending retry still comes.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add_rate_limited("web");
    /// queue.forget(&"web");
    /// assert_eq!((queue.num_requeues(&"web"), queue.waiting()), (0, 1));
    /// ```
    pub fn forget(&self, key: &K) {
        self.shared.forget(key);
    }

    /// Returns how many failures of this key the limiter has counted since it last forgot the key. Handlers use
    /// it to give up after a number of tries.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// # let queue = WorkQueue::new();
    /// const MAX_RETRIES: u32 = 3;
    ///
    /// fn failed(queue: &WorkQueue<&'static str>, key: &'static str) {
    ///     if queue.num_requeues(&key) < MAX_RETRIES {
    ///         queue.add_rate_limited(key);
    ///     } else {
    ///         queue.forget(&key);
    ///     }
    /// }
    ///
    /// (0..4).for_each(|_| failed(&queue, "web"));
    /// assert_eq!(queue.num_requeues(&"web"), 0, "given up");
    /// ```
    pub fn num_requeues(&self, key: &K) -> u32 {
        self.shared.options.limiter.num_requeues(key)
    }

    /// Returns how long a failure of this key would wait. The limiter counts the call as a failure; nothing is
    /// added.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// assert_eq!(queue.when(&"web"), Duration::from_millis(5));
    /// assert_eq!(queue.when(&"web"), Duration::from_millis(10));
    /// ```
    pub fn when(&self, key: &K) -> Duration {
        self.shared.options.limiter.when(key)
    }

    /// Waits for the next key. Returns `None` when the queue has shut down and is empty.
    ///
    /// Cancel-safe, so it can be a branch of `tokio::select!`. With delayed adds in use, poll it inside a tokio
    /// runtime with time enabled; otherwise any executor will do. A worker's loop should use [`Item::next`],
    /// which also releases the last key. Threads use [`get_blocking`](WorkQueue::get_blocking).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// queue.shutdown();
    /// let mut keys = Vec::new();
    /// while let Some(item) = queue.get().await {
    ///     keys.push(*item);
    /// }
    /// assert_eq!(keys, ["web"]);
    /// # }
    /// ```
    pub fn get(&self) -> Get<K> {
        Get::new(Some(Arc::clone(&self.shared)), None)
    }

    /// Waits like [`get`](WorkQueue::get), by parking the thread. Needs no runtime. Do not call it in async
    /// code.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// let worker = std::thread::spawn({
    ///     let queue = queue.clone();
    ///     move || queue.get_blocking().map(|item| *item)
    /// });
    /// queue.add("web");
    /// assert_eq!(worker.join().unwrap(), Some("web"));
    /// ```
    pub fn get_blocking(&self) -> Option<Item<K>> {
        self.get().wait()
    }

    /// Returns a key if one can be handed out now, without waiting.
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// assert!(queue.try_get().is_none());
    /// queue.add("web");
    /// assert_eq!(*queue.try_get().unwrap(), "web");
    /// ```
    pub fn try_get(&self) -> Option<Item<K>> {
        self.get().now()
    }

    /// Releases a key by name, for one whose [`Item`] was [detached](Item::detach).
    ///
    /// Returns whether the key was in progress. A key that was not, or that the queue has never seen, is left
    /// alone. If an item of the key still exists, dropping it does nothing.
    pub fn done(&self, key: &K) -> bool {
        self.shared.end_key(key)
    }

    /// Returns how many keys could be handed out now. Keys in progress and keys that wait for a delay do not
    /// count.
    ///
    /// For information only: the number may have changed by the time the caller looks at it.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// ["a", "b", "c"].into_iter().for_each(|key| queue.add(key));
    /// queue.add_after("d", Duration::from_secs(60));
    /// let _a = queue.try_get();
    /// assert_eq!((queue.len(), queue.processing(), queue.waiting()), (2, 1, 1));
    /// ```
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Returns whether [`len`](WorkQueue::len) is zero.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many keys are in progress: handed out and not released.
    pub fn processing(&self) -> usize {
        self.shared.processing()
    }

    /// Returns how many keys wait for a delay or a backoff to end.
    pub fn waiting(&self) -> usize {
        self.shared.waiting()
    }

    /// The state of one key: for debugging. `None` if the queue does not have the key.
    ///
    /// It may be out of date when it returns. While it counts the keys before this one, the queue waits: a millisecond for
    /// 100,000 keys. Do not call it for every key.
    ///
    /// ```
    /// # use std::time::Duration;
    /// use client_rs_workqueue::WorkQueue;
    ///
    /// let queue = WorkQueue::new();
    /// queue.add("a");
    /// queue.add("b");
    /// queue.add_after("c", Duration::from_secs(60));
    /// assert_eq!(queue.inspect(&"b").unwrap().ahead, Some(1));
    /// assert!(queue.inspect(&"c").unwrap().due.is_some());
    /// assert!(queue.inspect(&"d").is_none());
    /// ```
    pub fn inspect(&self, key: &K) -> Option<KeyState> {
        let standing = self.shared.standing(key)?;
        Some(KeyState {
            ahead: standing.ahead,
            processing: standing.processing,
            again: standing.again,
            due: standing.deadline.map(|deadline| self.shared.clock().instant(deadline)),
            backoff: standing.backoff,
        })
    }

    /// Ends the queue: it refuses further adds and still hands out the queued keys. Idempotent.
    ///
    /// Returns at once, even with keys in progress, and ends a drain that is in progress. To wait for the runs
    /// in progress use [`shutdown_with_drain`](WorkQueue::shutdown_with_drain).
    ///
    /// ```
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// queue.shutdown();
    /// assert_eq!(*queue.get_blocking().unwrap(), "web");
    /// assert!(queue.get_blocking().is_none());
    /// ```
    pub fn shutdown(&self) {
        self.shared.shutdown(false);
    }

    /// Shuts down now; the returned future waits until no key is in progress.
    ///
    /// Keys in progress that were added again are handed out once more, and the drain then waits for those runs
    /// too. It does not wait for keys that no worker has taken: keep the workers running until `get` returns
    /// `None`. An item that is never dropped keeps the drain waiting forever; a
    /// [`shutdown`](WorkQueue::shutdown) by anyone ends the wait. Threads use [`Drain::wait_blocking`].
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_workqueue::WorkQueue;
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// let item = queue.try_get().unwrap();
    /// let drain = queue.shutdown_with_drain();
    /// item.done();
    /// drain.await;
    /// assert_eq!(queue.processing(), 0);
    /// # }
    /// ```
    pub fn shutdown_with_drain(&self) -> Drain<K> {
        let since = self.shared.shutdown(true);
        Drain::new(Arc::clone(&self.shared), since)
    }

    /// Returns whether the queue has been shut down.
    pub fn is_shutting_down(&self) -> bool {
        self.shared.is_shutting_down()
    }

    /// Reports unfinished work and the longest run to the metrics. Call it now and then for a queue made
    /// outside a tokio runtime; inside one, a task does. Does nothing after the shut-down or without metrics.
    pub fn refresh_metrics(&self) {
        self.shared.refresh_metrics();
    }
}

impl<K: Hash + Eq + Clone + Send + 'static> Default for WorkQueue<K> {
    /// Makes the same queue as [`WorkQueue::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl<K> Clone for WorkQueue<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K> fmt::Debug for WorkQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkQueue").field("options", &self.shared.options).finish_non_exhaustive()
    }
}
