//! The shell around the core: two locks, the waiters and the clock.
//!
//! # Two locks
//! `state` guards the core and the waiters. `inbox` guards a list of keys just added. While every worker is
//! busy, a producer only appends to the inbox: a few nanoseconds, under a lock that nobody holds for longer.
//! Whoever takes `state`, for whatever, first moves the inbox into the core, so each add counts from when it
//! was made and in the order made. A producer does it itself with every [`FLUSH`]th add, which bounds the
//! inbox. While somebody waits for a key (or the queue is closed, or has an option that wants each add to be
//! seen at once) producers go straight to the core.
//!
//! Lock order: `state`, then `inbox`. User code (hashing, tenants, limiters, metrics, wakers, dropping keys)
//! runs under neither, save for a key's `Eq` and `Clone`.
//!
//! # No wake-up is lost
//! A worker that finds nothing sets `Inbox::direct` under the inbox's lock while seeing it empty. An add
//! either came before, and was seen, or comes after, sees the flag and goes to the core, where it finds the
//! waiter. A notified waiter that is dropped before it looks passes the notice on.
//!
//! # One timer
//! Keys that wait for their time are queued by whichever operation comes first after it; nothing runs in the
//! background. If all workers wait, one of them, the timekeeper, sleeps no longer than to the earliest
//! deadline. It is chosen when it finds the post free, woken when an earlier deadline comes in, and on its
//! way out wakes another to take over.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;
use std::time::Duration;

use crate::clock::{Clock, nanos};
use crate::core::{Added, Config, Core, Ended, Entry, Nanos, Run, Taken};
use crate::later::{Later, Left};
use crate::options::{AddOptions, Options};
use crate::sync::{Mutex, MutexGuard};
use crate::waiters::Waiters;

/// How many adds gather before a producer flushes them.
const FLUSH: usize = 256;

pub(crate) struct Shared<K> {
    state: Padded<Mutex<State<K>>>,
    inbox: Padded<Inbox<K>>,
    hasher: RandomState,
    clock: Clock,
    /// The inbox is never used: some option wants to see each add as it comes, to order it or to know when
    /// it was.
    direct: bool,
    pub(crate) options: Options<K>,
}

/// Keeps the two locks off each other's cache lines.
#[repr(align(128))]
struct Padded<T>(T);

struct State<K> {
    core: Core<K>,
    /// What a flush has taken from the inbox; empty between flushes unless a key's `Eq` panicked.
    batch: VecDeque<(u32, K)>,
    waiters: Waiters,
    drainers: Waiters,
    /// The waiter that keeps the time.
    timekeeper: Option<u32>,
    /// Counts the plain shut-downs: each ends the drains begun before it.
    shut_downs: u64,
    /// As `Adds::direct`, to be asked without its lock.
    direct: bool,
}

struct Inbox<K> {
    adds: Mutex<Adds<K>>,
    /// Whether there are any. Written under the lock; read without it, which is enough: an add that must be
    /// seen happened before, and so did its write.
    any: AtomicBool,
}

struct Adds<K> {
    added: VecDeque<(u32, K)>,
    /// Adds go to the core.
    direct: bool,
}

/// What a worker gets.
pub(crate) enum Step<K> {
    Item(K, Taken),
    ShutDown,
    /// Wait to be woken, or until this if it is set.
    Wait(Option<Nanos>),
}

impl<K> Shared<K> {
    pub(crate) fn new(options: Options<K>) -> Self {
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
                batch: VecDeque::new(),
                waiters: Waiters::new(),
                drainers: Waiters::new(),
                timekeeper: None,
                shut_downs: 0,
                direct,
            })),
            inbox: Padded(Inbox {
                adds: Mutex::new(Adds { added: VecDeque::new(), direct }),
                any: AtomicBool::new(false),
            }),
            hasher: RandomState::new(),
            clock: Clock::new(),
            direct,
            options,
        }
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Every panic under a lock comes from a key's `Eq` or `Clone`, where the state is whole.
    #[inline]
    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn adds(&self) -> MutexGuard<'_, Adds<K>> {
        self.inbox.0.adds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time, where anything depends on it.
    #[inline]
    fn now(&self, core: &Core<K>) -> Nanos {
        if self.options.metrics.is_some() || core.has_delays() { self.clock.now() } else { 0 }
    }

    /// Lets producers use the inbox again when nobody waits.
    #[inline]
    fn settle(&self, state: &mut State<K>) {
        if state.direct && state.waiters.is_empty() && !state.core.is_shutting_down() && !self.direct {
            state.direct = false;
            self.adds().direct = false;
        }
    }

    /// Frees the lock, then does what must not be done under it.
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
        for added in left.told {
            match added {
                Added::Queued { priority } | Added::Marked { priority } => {
                    metrics.added();
                    metrics.depth(self.told_priority(priority), 1);
                }
                Added::Raised { from, to } => {
                    metrics.depth(self.told_priority(from), -1);
                    metrics.depth(self.told_priority(to), 1);
                }
                Added::Known | Added::Refused => {}
            }
        }
    }

    fn told_priority(&self, priority: i32) -> Option<i32> {
        self.options.priority.is_some().then_some(priority)
    }

    fn tell_end(&self, worked: Nanos) {
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
            later.tell(added);
        }
    }

    /// A waiter leaves: it may have been keeping the time. Says whether it had been notified.
    fn leave(state: &mut State<K>, number: u32, later: &mut Later<K>) -> bool {
        let notified = state.waiters.remove(number);
        if state.timekeeper == Some(number) {
            state.timekeeper = None;
            if state.core.has_delays() {
                later.wake(state.waiters.poke_oldest());
            }
        }
        notified
    }

    /// The wakes that the end of a run asks for.
    #[inline]
    fn after_end(state: &mut State<K>, requeued: bool, idle: bool, later: &mut Later<K>) {
        if requeued {
            later.wake(state.waiters.notify());
        }
        if idle {
            while let Some(waker) = state.drainers.notify() {
                later.wake(Some(waker));
            }
        }
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.state().core.is_shutting_down()
    }

    /// Whether the drain that began after this many shut-downs is over; if not, waits for it.
    pub(crate) fn drained(&self, since: u64, waiter: &mut Option<u32>, waker: &Waker) -> bool {
        let mut state = self.state();
        if state.core.processing() == 0 || state.shut_downs != since {
            if let Some(number) = waiter.take() {
                state.drainers.remove(number);
            }
            return true;
        }
        match *waiter {
            Some(number) => state.drainers.renew(number, waker),
            None => *waiter = Some(state.drainers.insert(waker.clone())),
        }
        false
    }

    pub(crate) fn cancel_drain(&self, number: u32) {
        self.state().drainers.remove(number);
    }

    /// Reports the work in progress; says whether to go on doing so.
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
    /// Half of it: that is what a slot keeps.
    #[allow(clippy::cast_possible_truncation, reason = "any 32 bits of it will do")]
    fn hash(&self, key: &K) -> u32 {
        self.hasher.hash_one(key) as u32
    }

    /// Puts all adds so far into the core, and queues all that has come due; gives the time, where anything
    /// depends on it. The first thing to do with the state.
    #[inline]
    fn catch_up(&self, state: &mut State<K>, later: &mut Later<K>) -> Nanos {
        self.flush(state, later);
        self.advance(state, later)
    }

    /// Moves the inbox into the core, in order.
    #[inline]
    fn flush(&self, state: &mut State<K>, later: &mut Later<K>) {
        if self.inbox.0.any.load(Ordering::Relaxed) {
            self.flush_some(state, later);
        }
    }

    #[inline(never)]
    fn flush_some(&self, state: &mut State<K>, later: &mut Later<K>) {
        // What a panic left of the last batch comes first.
        if !state.batch.is_empty() {
            self.flush_batch(state, later);
        }
        let mut adds = self.adds();
        std::mem::swap(&mut state.batch, &mut adds.added);
        self.inbox.0.any.store(false, Ordering::Relaxed);
        drop(adds);
        self.flush_batch(state, later);
    }

    #[inline]
    fn flush_batch(&self, state: &mut State<K>, later: &mut Later<K>) {
        let State { core, batch, waiters, .. } = state;
        if batch.len() > 1 {
            core.warm(batch.iter().map(|&(hash, _)| hash));
        }
        while let Some((hash, key)) = batch.pop_front() {
            // Should this panic, the rest is not forgotten.
            let unwinding = OnUnwind(|| self.inbox.0.any.store(true, Ordering::Relaxed));
            // An inbox is used only where neither time nor priority nor tenant matter.
            let (added, spare) = core.add_plain(hash, key);
            std::mem::forget(unwinding);
            if let Added::Queued { .. } = added {
                later.wake(waiters.notify());
            }
            later.drop(spare);
        }
    }

    /// Queues what has come due; gives the time, where anything depends on it.
    #[inline]
    fn advance(&self, state: &mut State<K>, later: &mut Later<K>) -> Nanos {
        let now = self.now(&state.core);
        if state.core.has_delays() {
            let State { core, waiters, .. } = state;
            core.advance(now, |added| self.note(waiters, later, added));
        }
        now
    }

    /// Marks a key as wanted now: an event, with a priority of zero.
    pub(crate) fn add(&self, key: K) {
        let hash = self.hash(&key);
        let mut adds = self.adds();
        if adds.direct {
            drop(adds);
            self.add_directly(hash, key, &AddOptions { priority: Some(0), ..AddOptions::default() }, false);
            return;
        }
        adds.added.push_back((hash, key));
        let count = adds.added.len();
        if count == 1 {
            self.inbox.0.any.store(true, Ordering::Relaxed);
        }
        drop(adds);
        if count.is_multiple_of(FLUSH) {
            let mut later = Later::nothing();
            let mut state = self.state();
            self.catch_up(&mut state, &mut later);
            self.finish(state, later);
        }
    }

    /// Adds as asked; counts a retry if that means later.
    pub(crate) fn add_with(&self, key: K, options: &AddOptions) {
        if options.rate_limited || !options.after.is_zero() {
            return self.retry(key, options);
        }
        let hash = self.hash(&key);
        self.add_directly(hash, key, options, false);
    }

    /// A delayed or rate-limited add: counted as a retry even if it need not wait.
    pub(crate) fn retry(&self, key: K, options: &AddOptions) {
        let hash = self.hash(&key);
        let mut options = *options;
        if options.rate_limited {
            let mut later = Later::nothing();
            let mut state = self.state();
            self.catch_up(&mut state, &mut later);
            let refused = state.core.is_shutting_down();
            let early = state.core.is_early(hash, &key);
            self.finish(state, later);
            if refused {
                return;
            }
            if early {
                // The retry that is pending stands.
                return self.tell_retry();
            }
            options.after = options.after.max(self.options.limiter.when(&key));
        }
        if self.add_directly(hash, key, &options, options.rate_limited) {
            self.tell_retry();
        }
    }

    fn tell_retry(&self) {
        if let Some(metrics) = &self.options.metrics {
            metrics.retried();
        }
    }

    /// Adds to the core; says whether it was taken. `backoff`: the delay is one that the limiter was charged
    /// for.
    fn add_directly(&self, hash: u32, key: K, options: &AddOptions, backoff: bool) -> bool {
        let tenant = self.options.fairness.as_ref().map(|fairness| {
            let (name, weight) = fairness.tenant(&key);
            (name.into_owned(), weight)
        });
        let tenant = tenant.as_ref().map(|(name, weight)| (name.as_str(), *weight));
        let entry = Entry { hash, key, priority: options.priority, tenant };
        let mut later = Later::nothing();
        let mut state = self.state();
        let now = self.catch_up(&mut state, &mut later);
        let (added, spare) = if options.after.is_zero() {
            state.core.add(entry, now)
        } else {
            let now = self.clock.now();
            let before = state.core.next_deadline();
            let deadline = now.saturating_add(nanos(options.after));
            let outcome = state.core.add_at(entry, deadline, backoff, now);
            if state.core.next_deadline() != before {
                // Whoever sleeps to the earliest deadline, or somebody who could.
                later.wake(match state.timekeeper {
                    Some(number) => state.waiters.poke(number),
                    None => state.waiters.poke_oldest(),
                });
            }
            outcome
        };
        self.note(&mut state.waiters, &mut later, added);
        later.drop(spare);
        self.finish(state, later);
        added != Added::Refused
    }

    pub(crate) fn forget(&self, key: &K) {
        self.options.limiter.forget(key);
        let hash = self.hash(key);
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        state.core.forget(hash, key);
        self.finish(state, later);
    }

    /// Ends a run by its identity; one that has ended already is left alone.
    pub(crate) fn end(&self, run: Run) {
        let mut later = Later::nothing();
        let mut state = self.state();
        let now = self.catch_up(&mut state, &mut later);
        let ended = state.core.end(run, now);
        self.ended(state, later, ended);
    }

    /// Ends a run by its key; says whether there was one.
    pub(crate) fn end_key(&self, key: &K) -> bool {
        let hash = self.hash(key);
        let mut later = Later::nothing();
        let mut state = self.state();
        let now = self.catch_up(&mut state, &mut later);
        let ended = state.core.end_key(hash, key, now);
        self.ended(state, later, ended)
    }

    #[inline]
    fn ended(
        &self,
        mut state: MutexGuard<'_, State<K>>,
        mut later: Later<K>,
        ended: Option<Ended<K>>,
    ) -> bool {
        let Some(Ended { requeued, idle, worked, key }) = ended else {
            self.finish(state, later);
            return false;
        };
        Self::after_end(&mut state, requeued, idle, &mut later);
        self.finish(state, later);
        self.tell_end(worked);
        drop(key);
        true
    }

    /// Gives up waiting.
    pub(crate) fn cancel(&self, number: u32) {
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        if Self::leave(&mut state, number, &mut later) && state.core.len() > 0 {
            later.wake(state.waiters.notify());
        }
        self.finish(state, later);
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

    fn ask(&self, question: impl FnOnce(&Core<K>) -> usize) -> usize {
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        let answer = question(&state.core);
        self.finish(state, later);
        answer
    }

    /// No more adds. A plain one also ends the drains in progress; gives how many there were so far.
    pub(crate) fn shut_down(&self, drain: bool) -> u64 {
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        {
            // Closed and emptied in one step: an add came before, and counts, or comes after, and is refused.
            let mut adds = self.adds();
            adds.direct = true;
            std::mem::swap(&mut state.batch, &mut adds.added);
            self.inbox.0.any.store(false, Ordering::Relaxed);
        }
        state.direct = true;
        self.flush_batch(&mut state, &mut later);
        later.drop_all(state.core.shut_down());
        while let Some(waker) = state.waiters.notify() {
            later.wake(Some(waker));
        }
        if !drain {
            state.shut_downs += 1;
            while let Some(waker) = state.drainers.notify() {
                later.wake(Some(waker));
            }
        }
        let shut_downs = state.shut_downs;
        self.finish(state, later);
        shut_downs
    }
}

impl<K: Hash + Eq + Clone> Shared<K> {
    /// Hands out the next key. If there is none, `waiter` is in line to be woken through `waker`; without a
    /// waker it is not.
    ///
    /// If the key's `Clone` panics, the key is out of the queue and the panic goes on.
    #[inline]
    pub(crate) fn take(&self, waiter: &mut Option<u32>, waker: Option<&Waker>) -> Step<K> {
        let mut later = Later::nothing();
        let mut state = self.state();
        let now = self.catch_up(&mut state, &mut later);
        self.take_from(state, later, now, waiter, waker)
    }

    /// Ends a run and hands out the next key, in one step.
    #[inline]
    pub(crate) fn turn(&self, run: Run, waiter: &mut Option<u32>, waker: Option<&Waker>) -> Step<K> {
        let mut later = Later::nothing();
        let mut state = self.state();
        let now = self.catch_up(&mut state, &mut later);
        let Some(Ended { requeued, idle, worked, key }) = state.core.end(run, now) else {
            return self.take_from(state, later, now, waiter, waker);
        };
        // The next key is this worker's: it is idle only if there is none, and wakes another only for more.
        let left = state.core.len();
        Self::after_end(&mut state, requeued && left > 1, idle && left == 0, &mut later);
        let step = self.take_from(state, later, now, waiter, waker);
        self.tell_end(worked);
        drop(key);
        step
    }

    #[inline]
    fn take_from(
        &self,
        mut state: MutexGuard<'_, State<K>>,
        mut later: Later<K>,
        now: Nanos,
        waiter: &mut Option<u32>,
        waker: Option<&Waker>,
    ) -> Step<K> {
        let taken = loop {
            if let Some(taken) = state.core.take(now) {
                break taken;
            }
            if let Some(step) = self.wait_in(&mut state, &mut later, waiter, waker) {
                self.finish(state, later);
                return step;
            }
            self.flush(&mut state, &mut later);
        };
        let mut handing = Handing { shared: self, held: Some((state, later)), run: taken.run, now };
        // Should this panic, `handing` takes the key off the queue and frees the lock.
        let key = handing.key();
        let Some((mut state, mut later)) = handing.held.take() else { unreachable!("it is taken once") };
        if let Some(number) = waiter.take() {
            Self::leave(&mut state, number, &mut later);
        }
        self.finish(state, later);
        if let Some(metrics) = &self.options.metrics {
            metrics.depth(self.told_priority(taken.priority), -1);
            metrics.queued_for(Duration::from_nanos(taken.waited));
        }
        Step::Item(key, taken)
    }

    /// There is no key: the queue has ended, or the worker gets in line. `None` if there may be one now.
    #[inline(never)]
    fn wait_in(
        &self,
        state: &mut State<K>,
        later: &mut Later<K>,
        waiter: &mut Option<u32>,
        waker: Option<&Waker>,
    ) -> Option<Step<K>> {
        if state.core.is_shutting_down() {
            if let Some(number) = waiter.take() {
                Self::leave(state, number, later);
            }
            return Some(Step::ShutDown);
        }
        let Some(waker) = waker else { return Some(Step::Wait(None)) };
        if !state.direct {
            let mut adds = self.adds();
            if !adds.added.is_empty() {
                return None;
            }
            adds.direct = true;
            state.direct = true;
        }
        let number = match *waiter {
            Some(number) => {
                state.waiters.renew(number, waker);
                number
            }
            None => *waiter.insert(state.waiters.insert(waker.clone())),
        };
        let until = state.core.next_deadline().filter(|_| *state.timekeeper.get_or_insert(number) == number);
        Some(Step::Wait(until))
    }
}

/// A key is about to be handed out: the worker's copy is to be made, by code that may panic.
struct Handing<'a, K: Hash + Eq> {
    shared: &'a Shared<K>,
    /// Taken out again once the copy is made.
    held: Option<(MutexGuard<'a, State<K>>, Later<K>)>,
    run: Run,
    now: Nanos,
}

impl<K: Hash + Eq + Clone> Handing<'_, K> {
    #[inline]
    fn key(&self) -> K {
        let Some((state, _)) = &self.held else { unreachable!("it is held until the copy is made") };
        state.core.key(self.run).clone()
    }
}

impl<K: Hash + Eq> Drop for Handing<'_, K> {
    #[inline]
    fn drop(&mut self) {
        if let Some((mut state, mut later)) = self.held.take() {
            let (idle, key) = state.core.discard(self.run, self.now);
            later.drop(key);
            Shared::after_end(&mut state, false, idle, &mut later);
            self.shared.finish(state, later);
        }
    }
}

/// Does something if dropped; that is, unless forgotten.
struct OnUnwind<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnUnwind<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
