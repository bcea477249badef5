//! [`Settle`]: the shortest time between two runs of a key.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use client_rs_machinery::ObjectKey;
use tokio::time::Instant;

/// When the last run of each key has ended, as far as it matters.
pub(crate) struct Settle {
    window: Duration,
    ended: Mutex<Ended>,
}

#[derive(Default)]
struct Ended {
    at: HashMap<ObjectKey, Instant>,
    /// The same in the order of time, so that old entries are found.
    order: VecDeque<(Instant, ObjectKey)>,
}

impl Settle {
    pub(crate) fn new(window: Duration) -> Self {
        Self { window, ended: Mutex::default() }
    }

    /// A run of a key has ended.
    pub(crate) fn ended(&self, key: &ObjectKey, now: Instant) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.forget(now, self.window);
        ended.at.insert(key.clone(), now);
        ended.order.push_back((now, key.clone()));
    }

    /// How long a key must still wait before its next run.
    pub(crate) fn left(&self, key: &ObjectKey, now: Instant) -> Option<Duration> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.forget(now, self.window);
        let left = (*ended.at.get(key)? + self.window).saturating_duration_since(now);
        (!left.is_zero()).then_some(left)
    }
}

impl Ended {
    fn forget(&mut self, now: Instant, window: Duration) {
        while let Some((at, _)) = self.order.front()
            && *at + window <= now
        {
            let Some((at, key)) = self.order.pop_front() else { return };
            // A newer run of the key has an entry of its own.
            if self.at.get(&key) == Some(&at) {
                self.at.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_key_waits_for_the_rest_of_the_window_and_is_then_forgotten() {
        let settle = Settle::new(Duration::from_secs(1));
        let (key, other) = (ObjectKey::new("a", "b"), ObjectKey::new("a", "c"));
        let at = |milliseconds| Instant::now() + Duration::from_millis(milliseconds);
        assert_eq!(settle.left(&key, at(0)), None);
        settle.ended(&key, at(0));
        assert_eq!(settle.left(&key, at(300)), Some(Duration::from_millis(700)));
        assert_eq!(settle.left(&other, at(300)), None);
        settle.ended(&key, at(600));
        assert_eq!(settle.left(&key, at(1_000)), Some(Duration::from_millis(600)));
        assert_eq!(settle.left(&key, at(1_600)), None);
        let ended = settle.ended.lock().unwrap();
        assert!(ended.at.is_empty() && ended.order.is_empty());
    }
}
