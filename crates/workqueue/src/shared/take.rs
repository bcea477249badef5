//! Hands out keys, and lets workers wait for them.

use std::hash::Hash;
use std::task::Waker;
use std::time::Duration;

use crate::core::{Ended, Nanos, Run, Taken};
use crate::later::Later;
use crate::sync::MutexGuard;

use super::{Shared, State};

/// The next step of a worker.
pub(crate) enum Step<K> {
    Item(K, Taken),
    ShutDown,
    /// Wait for a wake-up, but not past this deadline if there is one.
    Wait(Option<Nanos>),
}

impl<K> Shared<K> {
    /// Removes a waiter, which may have been the timekeeper. Returns whether it had been notified.
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
}

impl<K: Hash + Eq> Shared<K> {
    /// Stops waiting.
    pub(crate) fn cancel(&self, number: u32) {
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        if Self::leave(&mut state, number, &mut later) && state.core.len() > 0 {
            later.wake(state.waiters.notify());
        }
        self.finish(state, later);
    }
}

impl<K: Hash + Eq + Clone> Shared<K> {
    /// Hands out the next key. If there is none, `waiter` waits to be woken through `waker`; without a waker it
    /// does not wait.
    ///
    /// If the key's `Clone` panics, the key leaves the queue and the panic continues.
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
        // The next key goes to this worker: it is idle only if there is none, and wakes another only for more.
        let left = state.core.len();
        Self::after_end(&mut state, requeued && left > 1, idle && left == 0, &mut later);
        let step = self.take_from(state, later, now, waiter, waker);
        self.report_end(worked);
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
        // If this panics, `handing` removes the key from the queue and frees the lock.
        let key = handing.key();
        let Some((mut state, mut later)) = handing.held.take() else { unreachable!("it is taken once") };
        if let Some(number) = waiter.take() {
            Self::leave(&mut state, number, &mut later);
        }
        self.finish(state, later);
        if let Some(metrics) = &self.options.metrics {
            metrics.depth(self.metric_priority(taken.priority), -1);
            metrics.queued_for(Duration::from_nanos(taken.waited));
        }
        Step::Item(key, taken)
    }

    /// Handles the case without a key: the queue has ended, or the worker waits. `None` if there may be a key now.
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
            if !self.inbox.0.close_if_empty() {
                return None;
            }
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

/// A key that is being handed out: the worker's copy is made by code that may panic.
struct Handing<'a, K: Hash + Eq> {
    shared: &'a Shared<K>,
    /// `None` once the copy is made.
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
