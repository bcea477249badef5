//! Adds keys.

use std::hash::Hash;

use crate::clock::nanos;
use crate::core::{Added, Entry};
use crate::later::Later;
use crate::options::AddOptions;

use super::Shared;

/// The number of adds after which a producer flushes the inbox.
const FLUSH: usize = 512;

impl<K: Hash + Eq> Shared<K> {
    /// Enqueues a key now, as an event with priority zero.
    pub(crate) fn add(&self, key: K) {
        let hash = self.hash(&key);
        match self.inbox.0.push(hash, key) {
            Ok(count) if count.is_multiple_of(FLUSH) => {
                let mut later = Later::nothing();
                let mut state = self.state();
                self.catch_up(&mut state, &mut later);
                self.finish(state, later);
            }
            Ok(_) => {}
            Err(key) => {
                let options = AddOptions { priority: Some(0), ..AddOptions::default() };
                self.add_directly(hash, key, &options, false);
            }
        }
    }

    /// Adds a key with options; counts a retry if it is delayed or rate-limited.
    pub(crate) fn add_with(&self, key: K, options: &AddOptions) {
        if options.rate_limited || !options.after.is_zero() {
            return self.retry(key, options);
        }
        let hash = self.hash(&key);
        self.add_directly(hash, key, options, false);
    }

    /// Adds a key delayed or rate-limited. Counts a retry even if the key need not wait.
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
                // The pending retry keeps its time.
                return self.report_retry();
            }
            options.after = options.after.max(self.options.limiter.when(&key));
        }
        if self.add_directly(hash, key, &options, options.rate_limited) {
            self.report_retry();
        }
    }

    /// Adds a key to the core; returns whether the core accepted it. `backoff`: the limiter has counted a
    /// failure for this delay.
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
                // Wake the timekeeper; if there is none, a waiter that can become it.
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
}
