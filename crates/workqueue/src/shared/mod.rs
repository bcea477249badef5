//! The shell around the core: two locks, the waiters and the clock.
//!
//! # Two locks
//! `state` guards the core and the waiters. `inbox` guards a list of keys just added. While every worker is
//! busy, a producer only appends to the inbox: that takes a few nanoseconds, under a lock that no thread holds
//! for longer. Every operation that takes `state` first moves the inbox into the core, so each add counts from
//! the time when it was made, and in that order. A producer flushes the inbox itself with every 512th add,
//! which bounds it. While a worker waits for a key (or the queue is closed, or an option needs to see each add
//! at once), producers go straight to the core.
//!
//! Lock order: `state`, then `inbox`. User code (hashing, tenants, limiters, metrics, wakers, dropping keys)
//! runs under neither, except a key's `Eq` and `Clone`.
//!
//! # No wake-up is lost
//! A worker that finds no key closes the inbox under its lock while it sees it empty. An add either came
//! before, and was seen, or comes after, finds the inbox closed and goes to the core, where it finds the
//! waiter. A notified waiter that is dropped before it looks notifies another.
//!
//! # One timer
//! The first operation after the deadline of a delayed key queues the key; nothing runs in the background. If
//! all workers wait, one of them, the timekeeper, sleeps at most until the earliest deadline. A waiter becomes
//! the timekeeper when it finds the role free. It is woken when an earlier deadline comes in. When it leaves,
//! it wakes another waiter to take over.

mod add;
mod end;
mod inbox;
mod take;

use std::hash::{BuildHasher, Hash, RandomState};
use std::task::Waker;
use std::time::Duration;

use foldhash::fast::FixedState;

use self::inbox::{Batch, Inbox};
pub(crate) use self::take::Step;
use crate::clock::Clock;
use crate::core::{Added, Config, Core, Nanos, Standing};
use crate::later::{Later, Left};
use crate::lock::lock;
use crate::options::QueueOptions;
use crate::sync::{Mutex, MutexGuard};
use crate::waiters::Waiters;

pub(crate) struct Shared<K> {
    state: Padded<Mutex<State<K>>>,
    inbox: Padded<Inbox<K>>,
    hasher: FixedState,
    clock: Clock,
    /// Whether the inbox is never used, because an option must see each add at once: to order it, or to record
    /// its time.
    direct: bool,
    pub(crate) options: QueueOptions<K>,
}

/// Keeps the two locks off each other's cache lines.
#[repr(align(128))]
struct Padded<T>(T);

struct State<K> {
    core: Core<K>,
    /// The adds that a flush took from the inbox; empty between flushes unless a key's `Eq` panicked.
    batch: Batch<K>,
    waiters: Waiters,
    drainers: Waiters,
    /// The waiter that sleeps until the earliest deadline.
    timekeeper: Option<u32>,
    /// The number of plain shut-downs: each ends the drains that began before it.
    shut_downs: u64,
    /// Whether the inbox is closed, readable without its lock.
    direct: bool,
}

impl<K> Shared<K> {
    pub(crate) fn new(options: QueueOptions<K>) -> Self {
        let config = Config {
            priority: options.priority.is_some(),
            ageing: options.priority.and_then(|priority| priority.ageing),
            fair: options.fairness.is_some(),
            times: options.metrics.is_some(),
        };
        let direct = config.priority || config.fair || config.times;
        Self {
            state: Padded(Mutex::new(State {
                core: Core::new(config),
                batch: Batch::new(),
                waiters: Waiters::new(),
                drainers: Waiters::new(),
                timekeeper: None,
                shut_downs: 0,
                direct,
            })),
            inbox: Padded(Inbox::new(!direct)),
            // Keys may be chosen by others, who must not know the seed. A simulation repeats it.
            hasher: FixedState::with_seed(RandomState::new().hash_one(())),
            clock: Clock::new(),
            direct,
            options,
        }
    }

    pub(crate) fn has_metrics(&self) -> bool {
        self.options.metrics.is_some()
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    #[inline]
    fn state(&self) -> MutexGuard<'_, State<K>> {
        lock(&self.state.0)
    }

    /// Returns the time if delays or metrics need it, else zero.
    #[inline]
    fn now(&self, core: &Core<K>) -> Nanos {
        if self.options.metrics.is_some() || core.has_delays() { self.clock.now() } else { 0 }
    }

    /// Opens the inbox for producers again when no worker waits.
    #[inline]
    fn settle(&self, state: &mut State<K>) {
        if state.direct && state.waiters.is_empty() && !state.core.is_shutting_down() && !self.direct {
            state.direct = false;
            self.inbox.0.open();
        }
    }

    /// Frees the lock, then does the work that must not happen under it.
    #[inline]
    fn finish(&self, mut state: MutexGuard<'_, State<K>>, later: Later<K>) {
        self.settle(&mut state);
        drop(state);
        self.do_later(later);
    }

    #[inline]
    fn do_later(&self, later: Later<K>) {
        if let Some(left) = later.take() {
            self.do_left(*left);
        }
    }

    #[inline(never)]
    fn do_left(&self, left: Left<K>) {
        left.wakers.into_iter().for_each(Waker::wake);
        let Some(metrics) = &self.options.metrics else { return };
        for added in left.reported {
            match added {
                Added::Queued { priority } | Added::Marked { priority } => {
                    metrics.added();
                    metrics.depth(self.metric_priority(priority), 1);
                }
                Added::Raised { from, to } => {
                    metrics.depth(self.metric_priority(from), -1);
                    metrics.depth(self.metric_priority(to), 1);
                }
                Added::Known | Added::Refused => {}
            }
        }
    }

    fn metric_priority(&self, priority: i32) -> Option<i32> {
        self.options.priority.is_some().then_some(priority)
    }

    fn report_end(&self, worked: Nanos) {
        if let Some(metrics) = &self.options.metrics {
            metrics.worked_for(Duration::from_nanos(worked));
        }
    }

    #[inline]
    fn note(&self, waiters: &mut Waiters, later: &mut Later<K>, added: Added) {
        if let Added::Queued { .. } = added {
            later.wake(waiters.notify());
        }
        if self.options.metrics.is_some() {
            later.report(added);
        }
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.state().core.is_shutting_down()
    }

    /// Reports the work in progress; returns whether to continue doing so.
    pub(crate) fn refresh_metrics(&self) -> bool {
        let Some(metrics) = &self.options.metrics else { return false };
        let state = self.state();
        if state.core.is_shutting_down() {
            return false;
        }
        let unfinished = state.core.unfinished(self.clock.now());
        drop(state);
        metrics.unfinished(Duration::from_nanos(unfinished.total));
        metrics.longest_running(Duration::from_nanos(unfinished.longest));
        true
    }
}

impl<K: Hash + Eq> Shared<K> {
    /// Returns 32 bits of the hash: a slot stores no more.
    #[allow(clippy::cast_possible_truncation, reason = "any 32 bits of the hash will do")]
    fn hash(&self, key: &K) -> u32 {
        self.hasher.hash_one(key) as u32
    }

    /// Moves all adds so far into the core and queues all keys that are due. Returns the time if anything
    /// depends on it. Every operation on the state begins with this.
    #[inline]
    fn catch_up(&self, state: &mut State<K>, later: &mut Later<K>) -> Nanos {
        self.flush(state, later);
        self.advance(state, later)
    }

    /// Moves the inbox into the core, in order.
    #[inline]
    fn flush(&self, state: &mut State<K>, later: &mut Later<K>) {
        if self.inbox.0.any() {
            self.flush_some(state, later);
        }
    }

    #[inline(never)]
    fn flush_some(&self, state: &mut State<K>, later: &mut Later<K>) {
        // The rest of a batch that a panic interrupted comes first.
        if !state.batch.is_empty() {
            self.flush_batch(state, later);
        }
        self.inbox.0.take(&mut state.batch);
        self.flush_batch(state, later);
    }

    #[inline]
    fn flush_batch(&self, state: &mut State<K>, later: &mut Later<K>) {
        let State { core, batch, waiters, .. } = state;
        if batch.len() > 1 {
            core.warm(batch.iter().map(|&(hash, _)| hash));
        }
        while let Some((hash, key)) = batch.pop_front() {
            // If this panics, the next operation continues with the rest.
            let unwinding = OnUnwind(|| self.inbox.0.set_any());
            // The inbox is used only when neither time nor priority nor tenant matter.
            let (added, spare) = core.add_plain(hash, key);
            std::mem::forget(unwinding);
            if let Added::Queued { .. } = added {
                later.wake(waiters.notify());
            }
            later.drop(spare);
        }
    }

    /// Queues the keys that are due; returns the time if anything depends on it.
    #[inline]
    fn advance(&self, state: &mut State<K>, later: &mut Later<K>) -> Nanos {
        let now = self.now(&state.core);
        if state.core.has_delays() {
            let State { core, waiters, .. } = state;
            core.advance(now, |added| self.note(waiters, later, added));
        }
        now
    }

    fn report_retry(&self) {
        if let Some(metrics) = &self.options.metrics {
            metrics.retried();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ask(Core::len)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.ask(Core::waiting)
    }

    pub(crate) fn processing(&self) -> usize {
        self.ask(Core::processing)
    }

    /// Returns the state of a key.
    pub(crate) fn standing(&self, key: &K) -> Option<Standing> {
        let hash = self.hash(key);
        self.ask(|core| core.standing(hash, key))
    }

    fn ask<T>(&self, question: impl FnOnce(&Core<K>) -> T) -> T {
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        let answer = question(&state.core);
        self.finish(state, later);
        answer
    }
}

/// Runs a function when dropped, that is, unless it is forgotten first.
struct OnUnwind<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnUnwind<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
