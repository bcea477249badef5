//! Ends runs, and the queue.

use std::hash::Hash;
use std::task::Waker;

use crate::core::{Ended, Run};
use crate::later::Later;
use crate::sync::MutexGuard;

use super::{Shared, State};

impl<K> Shared<K> {
    /// Collects the wakers to call after the end of a run.
    #[inline]
    pub(super) fn after_end(state: &mut State<K>, requeued: bool, idle: bool, later: &mut Later<K>) {
        if requeued {
            later.wake(state.waiters.notify());
        }
        if idle {
            while let Some(waker) = state.drainers.notify() {
                later.wake(Some(waker));
            }
        }
    }

    /// Returns whether the drain that began after this many shut-downs is over; if not, registers the waker.
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
}

impl<K: Hash + Eq> Shared<K> {
    /// Ends a run by its identity. Does nothing if the run has already ended.
    pub(crate) fn end(&self, run: Run) {
        let mut later = Later::nothing();
        let mut state = self.state();
        let now = self.catch_up(&mut state, &mut later);
        let ended = state.core.end(run, now);
        self.ended(state, later, ended);
    }

    /// Ends a run by its key; returns whether there was one.
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
        self.report_end(worked);
        drop(key);
        true
    }

    /// Refuses further adds. A plain shut-down also ends the drains in progress. Returns the number of plain shut-downs so far.
    pub(crate) fn shutdown(&self, drain: bool) -> u64 {
        let mut later = Later::nothing();
        let mut state = self.state();
        self.catch_up(&mut state, &mut later);
        // Closed and emptied in one step: an add either came before and counts, or comes after and is refused.
        self.inbox.0.close(&mut state.batch);
        state.direct = true;
        self.flush_batch(&mut state, &mut later);
        later.drop_all(state.core.shutdown());
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
