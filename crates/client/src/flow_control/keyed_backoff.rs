//! A backoff per key.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use tokio::time::Instant;

use crate::backoff::scaled;

client_rs_machinery::options! {
    /// The settings of a [`KeyedBackoff`].
    #[derive(Clone, Debug)]
    pub struct KeyedBackoffOptions {
        /// The first wait. Default: 1 s.
        pub initial: Duration => with_initial,
        /// The longest wait. Default: 60 s.
        pub max: Duration => with_max,
        /// The fraction of the wait that is added at random, at most. Default: 0.
        pub jitter: f64 => with_jitter,
        /// The time after its last failure at which a key is forgotten. `None`, the default, means twice `max`.
        pub forget_after: Option<Duration> => with_forget_after,
    }
}

impl Default for KeyedBackoffOptions {
    fn default() -> Self {
        Self { initial: Duration::from_secs(1), max: Duration::from_mins(1), jitter: 0.0, forget_after: None }
    }
}

/// A wait per key that doubles with each failure.
///
/// It has no clock and no task: memory grows with the failed keys, until [`collect`](Self::collect) is called. For a work queue,
/// use the rate limiters of the work queue instead.
///
/// ```
/// use std::time::Duration;
/// use client_rs_client::flow_control::{KeyedBackoff, KeyedBackoffOptions};
/// use tokio::time::Instant;
///
/// let now = Instant::now();
/// let mut backoff = KeyedBackoff::new(KeyedBackoffOptions::default());
/// backoff.next("node-1", now, now);
/// backoff.next("node-1", now, now);
/// assert_eq!(backoff.get("node-1"), Duration::from_secs(2));
/// assert!(backoff.is_waiting_since("node-1", now, now + Duration::from_secs(1)));
/// assert_eq!(backoff.get("node-2"), Duration::ZERO);
/// ```
#[derive(Clone, Debug)]
pub struct KeyedBackoff<K> {
    options: KeyedBackoffOptions,
    entries: HashMap<K, Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    wait: Duration,
    updated: Instant,
}

impl<K: Eq + Hash> KeyedBackoff<K> {
    /// A backoff without failures.
    pub fn new(options: KeyedBackoffOptions) -> Self {
        Self { options, entries: HashMap::new() }
    }

    /// Records a failure of a key at `event`; the time is `now`. Its wait grows.
    pub fn next(&mut self, key: K, event: Instant, now: Instant) {
        self.next_with(key, event, now, fastrand::f64);
    }

    /// Like [`next`](Self::next), with a given random number in `[0, 1)`.
    pub fn next_with(&mut self, key: K, event: Instant, now: Instant, random: impl FnOnce() -> f64) {
        let jitter = if self.options.jitter > 0.0 { self.options.jitter * random() } else { 0.0 };
        let known = self.entries.get(&key).filter(|entry| !self.expired(entry, event));
        let wait = match known {
            None => self.options.initial.saturating_add(scaled(self.options.initial, jitter)),
            Some(entry) => {
                let doubled = entry.wait.saturating_mul(2).saturating_add(scaled(entry.wait, jitter));
                doubled.min(self.options.max)
            }
        };
        self.entries.insert(key, Entry { wait, updated: now });
    }

    /// The wait of a key; zero if it has not failed.
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Duration
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map_or(Duration::ZERO, |entry| entry.wait)
    }

    /// Returns `true` if the time between `event` and `now` is shorter than the wait of the key.
    pub fn is_waiting_since<Q: Eq + Hash + ?Sized>(&self, key: &Q, event: Instant, now: Instant) -> bool
    where
        K: Borrow<Q>,
    {
        let entry = self.entries.get(key).filter(|entry| !self.expired(entry, event));
        entry.is_some_and(|entry| now.saturating_duration_since(event) < entry.wait)
    }

    /// Returns `true` if the time between the key's last failure and `event` is shorter than the wait of the key.
    pub fn is_waiting_since_update<Q: Eq + Hash + ?Sized>(&self, key: &Q, event: Instant) -> bool
    where
        K: Borrow<Q>,
    {
        let entry = self.entries.get(key).filter(|entry| !self.expired(entry, event));
        entry.is_some_and(|entry| event.saturating_duration_since(entry.updated) < entry.wait)
    }

    /// Removes the wait of a key.
    pub fn reset<Q: Eq + Hash + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        self.entries.remove(key);
    }

    /// Removes the keys whose time has passed.
    pub fn collect(&mut self, now: Instant) {
        let limit = self.limit();
        self.entries.retain(|_, entry| now.saturating_duration_since(entry.updated) <= limit);
    }

    /// The number of keys with a wait.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if no key has a wait.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn expired(&self, entry: &Entry, at: Instant) -> bool {
        at.saturating_duration_since(entry.updated) > self.limit()
    }

    fn limit(&self) -> Duration {
        self.options.forget_after.unwrap_or(self.options.max.saturating_mul(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn backoff(max: u32) -> KeyedBackoff<&'static str> {
        KeyedBackoff::new(KeyedBackoffOptions { max: SECOND * max, ..KeyedBackoffOptions::default() })
    }

    #[test]
    fn t8_5_02_slow_growth_up_to_the_maximum() {
        let mut backoff = backoff(50);
        let mut now = Instant::now();
        let mut waits = Vec::new();
        for _ in 0..8 {
            backoff.next("a", now, now);
            waits.push(backoff.get("a").as_secs());
            now += SECOND;
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 50, 50]);
        assert_eq!(backoff.get("b"), Duration::ZERO);
    }

    #[test]
    fn t8_5_02_reset_and_expiry_start_again() {
        let mut backoff = backoff(10);
        let start = Instant::now();
        for _ in 0..4 {
            backoff.next("a", start, start);
        }
        assert_eq!(backoff.get("a"), SECOND * 8);
        let late = start + SECOND * 21;
        assert!(!backoff.is_waiting_since("a", late, late));
        backoff.next("a", late, late);
        assert_eq!(backoff.get("a"), SECOND);
        backoff.reset("a");
        assert!(backoff.is_empty());
    }

    #[test]
    fn t8_5_02_high_water_mark_is_not_a_reset() {
        // Failures at the largest wait that still counts as the same series of failures.
        let mut backoff = backoff(10);
        let start = Instant::now();
        for _ in 0..5 {
            backoff.next("a", start, start);
        }
        let at = start + SECOND * 20;
        backoff.next("a", at, at);
        assert_eq!(backoff.get("a"), SECOND * 10);
    }

    #[test]
    fn t8_5_02_collection_default_and_alternate() {
        for (forget_after, limit) in [(None, 20), (Some(SECOND * 3), 3)] {
            let options =
                KeyedBackoffOptions { max: SECOND * 10, forget_after, ..KeyedBackoffOptions::default() };
            let mut backoff = KeyedBackoff::new(options);
            let start = Instant::now();
            backoff.next("a", start, start);
            backoff.collect(start + SECOND * limit);
            assert_eq!(backoff.len(), 1);
            backoff.collect(start + SECOND * limit + Duration::from_nanos(1));
            assert!(backoff.is_empty());
        }
    }

    #[test]
    fn t8_5_02_since_update_table() {
        let mut backoff = backoff(20);
        let start = Instant::now();
        backoff.next("a", start, start);
        backoff.next("a", start, start);
        assert_eq!(backoff.get("a"), SECOND * 2);
        for (after, waiting) in [(0, true), (1, true), (2, false), (3, false), (41, false)] {
            assert_eq!(backoff.is_waiting_since_update("a", start + SECOND * after), waiting, "{after}");
        }
        assert!(!backoff.is_waiting_since_update("b", start));
        assert!(backoff.is_waiting_since("a", start, start + SECOND));
        assert!(!backoff.is_waiting_since("a", start, start + SECOND * 2));
    }

    #[test]
    fn t8_5_02_jitter_stays_in_bounds() {
        let options =
            KeyedBackoffOptions { jitter: 0.5, max: SECOND * 100, ..KeyedBackoffOptions::default() };
        let mut backoff = KeyedBackoff::new(options);
        let now = Instant::now();
        backoff.next_with("a", now, now, || 0.999);
        assert_eq!(backoff.get("a"), Duration::from_micros(1_499_500));
        backoff.next_with("a", now, now, || 0.0);
        assert_eq!(backoff.get("a"), Duration::from_millis(2999));
    }
}
