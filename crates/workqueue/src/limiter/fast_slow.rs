use std::hash::Hash;
use std::time::Duration;

use super::{Failures, RateLimiter};

/// A short wait for the first failures of a key, and a long one after that.
///
/// ```
/// # use std::time::Duration;
/// # use client_rs_workqueue::{FastSlow, RateLimiter};
/// let limiter = FastSlow::new(Duration::from_millis(5), Duration::from_secs(10), 2);
/// let waits: Vec<u128> = (0..3).map(|_| limiter.when(&"web").as_millis()).collect();
/// assert_eq!(waits, [5, 5, 10_000]);
/// ```
#[derive(Debug)]
pub struct FastSlow<K> {
    fast: Duration,
    slow: Duration,
    attempts: u32,
    failures: Failures<K>,
}

impl<K: Hash + Eq + Clone> FastSlow<K> {
    /// Waits `fast` for the first `attempts` failures of a key, then `slow`.
    pub fn new(fast: Duration, slow: Duration, attempts: u32) -> Self {
        Self { fast, slow, attempts, failures: Failures::new() }
    }
}

impl<K: Hash + Eq + Clone + Send> RateLimiter<K> for FastSlow<K> {
    fn when(&self, key: &K) -> Duration {
        if self.failures.count(key) < self.attempts { self.fast } else { self.slow }
    }

    fn forget(&self, key: &K) {
        self.failures.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.failures.get(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t2_3_03_fast_then_slow_reset_by_forget() {
        let (fast, slow) = (Duration::from_millis(5), Duration::from_secs(10));
        let limiter = FastSlow::new(fast, slow, 3);
        let taken: Vec<Duration> = (0..5).map(|_| limiter.when(&"one")).collect();
        assert_eq!(taken, [fast, fast, fast, slow, slow]);
        assert_eq!(limiter.num_requeues(&"one"), 5);
        assert_eq!(limiter.when(&"two"), fast);
        limiter.forget(&"one");
        assert_eq!(limiter.num_requeues(&"one"), 0);
        assert_eq!(limiter.when(&"one"), fast);
    }

    #[test]
    fn no_fast_attempts_is_slow_from_the_first() {
        let limiter = FastSlow::new(Duration::ZERO, Duration::MAX, 0);
        assert_eq!(limiter.when(&1), Duration::MAX);
    }
}
