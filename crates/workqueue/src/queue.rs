//! The queue as its users see it.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use crate::get::{Drain, Get};
use crate::item::Item;
use crate::options::{AddOptions, QueueOptions};
use crate::shared::Shared;

/// A queue of keys to process, each by one worker at a time.
///
/// A handle: clones share the queue. See the [crate's page](crate) for what it is for and an example.
///
/// # Contract
/// - **Deduplicated.** However often a key is added before it is handed out, it is handed out once.
/// - **One worker a key.** A key that was handed out is not handed out again until its [`Item`] is dropped.
///   Added meanwhile, once or many times, it is queued once more when that happens.
/// - **Order.** First added, first handed out, for the adds of one thread and for adds that happen one after
///   the other. A key added again while processed gets in line when it is released. [`QueueOptions`] put priority
///   and fairness in front of that.
/// - **Never blocks to add.** Nothing bounds the queue but the number of distinct keys: memory is what the
///   keys take and 30 to 45 bytes each. What a burst took is given back when the queue runs empty.
/// - **Cancellation.** [`get`](WorkQueue::get) is cancel-safe. An item dropped by a cancelled task or by a
///   panic releases its key.
/// - **Shut-down.** Adds are ignored from then on, delayed ones that have not come due are dropped; what is
///   queued is still handed out; then `get` gives `None`.
/// - **Not promised:** that a key is processed only once an add, that it is processed at all after its worker
///   dropped it, or anything about the order of keys added by different threads at the same time.
///
/// # Keys
/// `Hash`, `Eq` and `Clone` must be cheap and agree with each other; `Clone` is called once a handout, so a
/// shared string (`Arc<str>`) beats `String`. If they panic, no lock is left held and no other key is lost:
/// - `Hash`: the panic goes to the caller, and nothing has changed.
/// - `Eq`: the panic goes to whoever adds, asks or gets at that moment; the key then being added is lost.
/// - `Clone`: the panic goes to whoever gets; the key is taken off the queue.
pub struct WorkQueue<K> {
    shared: Arc<Shared<K>>,
}

impl<K: Hash + Eq + Clone + Send + 'static> WorkQueue<K> {
    /// A plain queue, with the limiter that controllers use.
    pub fn new() -> Self {
        Self::with_options(QueueOptions::default())
    }

    /// A queue with these options.
    ///
    /// With metrics on and inside a tokio runtime it starts one task, which ends with the queue.
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

    /// Marks a key as needing work: an event. In a queue with priorities, its priority is zero.
    ///
    /// Ignored when shutting down.
    pub fn add(&self, key: K) {
        self.shared.add(key);
    }

    /// Adds a key as these options say: its priority, its delay, rate-limited or not.
    pub fn add_with(&self, key: K, options: AddOptions) {
        self.shared.add_with(key, &options);
    }

    /// Adds a key after this delay; at once if it is zero.
    ///
    /// A key that waits already keeps the earlier of both times. Keys of the same time come in the order
    /// asked. A delay is no reservation: the key may be added and processed meanwhile, and still comes then.
    /// Counted as a retry. Delays are exact to about a millisecond, never early; more than 584 years is never.
    pub fn add_after(&self, key: K, delay: Duration) {
        self.shared.retry(key, &AddOptions { after: delay, ..AddOptions::default() });
    }

    /// The key failed: adds it after the limiter's wait.
    ///
    /// # Events do not inflate the backoff
    /// An event may bring a key that is in backoff to a worker early. If that early run fails too, the call
    /// counts for nothing: the pending retry stands as it is, and the limiter is not charged. So between two
    /// tries of the backoff itself at most one failure counts, and a storm of events on a failing key leaves
    /// its backoff where time alone would have taken it. [`forget`](WorkQueue::forget) ends this, as it ends
    /// the history: the next failure is charged as a first one.
    pub fn add_rate_limited(&self, key: K) {
        self.shared.retry(key, &AddOptions { rate_limited: true, ..AddOptions::default() });
    }

    /// The key succeeded, or is given up: its next rate-limited add waits as the first one does.
    ///
    /// Takes nothing off the queue: a retry that is pending comes all the same.
    pub fn forget(&self, key: &K) {
        self.shared.forget(key);
    }

    /// How many failures of this key the limiter has counted since it was last forgotten.
    pub fn num_requeues(&self, key: &K) -> u32 {
        self.shared.options.limiter.num_requeues(key)
    }

    /// Asks the limiter how long a failure of this key waits. This charges the limiter and adds nothing.
    pub fn when(&self, key: &K) -> Duration {
        self.shared.options.limiter.when(key)
    }

    /// The next key, when there is one; `None` when the queue has shut down and is empty.
    ///
    /// Cancel-safe. If delays are used it must be polled inside a tokio runtime with time enabled; else any
    /// executor will do.
    pub fn get(&self) -> Get<K> {
        Get::new(Some(Arc::clone(&self.shared)), None)
    }

    /// As [`get`](WorkQueue::get), parking the thread. Not for use in async code. Needs no runtime.
    pub fn get_blocking(&self) -> Option<Item<K>> {
        self.get().wait()
    }

    /// A key if one can be handed out now.
    pub fn try_get(&self) -> Option<Item<K>> {
        self.get().now()
    }

    /// Releases a key by name, for one whose [`Item`] was [detached](Item::detach).
    ///
    /// Says whether it was in progress; a key that was not, or that the queue has never seen, is left alone.
    /// If an item of it is still around, that item's drop will do nothing.
    pub fn done(&self, key: &K) -> bool {
        self.shared.end_key(key)
    }

    /// How many keys could be handed out now: not those in progress, nor those that wait for their time.
    ///
    /// For information only; it may have changed by the time it is looked at.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether [`len`](WorkQueue::len) is zero.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many keys are in progress.
    pub fn processing(&self) -> usize {
        self.shared.processing()
    }

    /// How many keys wait for their time.
    pub fn waiting(&self) -> usize {
        self.shared.waiting()
    }

    /// No more adds; what is queued is still handed out. Returns at once, whatever is in progress, and ends a
    /// drain in progress. May be called again.
    pub fn shutdown(&self) {
        self.shared.shutdown(false);
    }

    /// Shuts down now; the future waits until no key is in progress.
    ///
    /// Keys in progress that were added again come back and are handed out, and waited for once they are.
    /// Keys that nobody has taken are not waited for: keep the workers going until `get` gives `None`. An
    /// item that is never dropped keeps it waiting for ever; [`shutdown`](WorkQueue::shutdown), by anyone,
    /// ends the wait. For threads there is [`Drain::wait_blocking`].
    pub fn shutdown_with_drain(&self) -> Drain<K> {
        let since = self.shared.shutdown(true);
        Drain::new(Arc::clone(&self.shared), since)
    }

    /// Whether the queue has been shut down.
    pub fn is_shutting_down(&self) -> bool {
        self.shared.is_shutting_down()
    }

    /// Reports unfinished work and the longest run to the metrics, for queues made outside a runtime. Does
    /// nothing when shut down or without metrics.
    pub fn refresh_metrics(&self) {
        self.shared.refresh_metrics();
    }
}

impl<K: Hash + Eq + Clone + Send + 'static> Default for WorkQueue<K> {
    /// A plain queue: [`QueueOptions::default`].
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
