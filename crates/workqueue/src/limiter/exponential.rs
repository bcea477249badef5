use std::hash::Hash;
use std::time::Duration;

use super::{Failures, RateLimiter};

/// Exponential backoff: a wait that doubles with each failure of the same key, `base * 2^failures`, at most
/// `max`.
///
///
/// ```
/// # use std::time::Duration;
/// # use client_rs_workqueue::{ExponentialFailure, RateLimiter};
/// let limiter = ExponentialFailure::new(Duration::from_secs(1), Duration::from_secs(5));
/// let waits: Vec<u64> = (0..4).map(|_| limiter.when(&"web").as_secs()).collect();
/// assert_eq!(waits, [1, 2, 4, 5]);
/// limiter.forget(&"web");
/// assert_eq!(limiter.when(&"web").as_secs(), 1);
/// ```
#[derive(Debug)]
pub struct ExponentialFailure<K> {
    base: Duration,
    max: Duration,
    failures: Failures<K>,
}

impl<K: Hash + Eq + Clone> ExponentialFailure<K> {
    /// Waits `base`, then twice, then four times `base`, up to `max`. Any values are valid, including zero; a
    /// `base` above `max` always waits `max`.
    pub fn new(base: Duration, max: Duration) -> Self {
        Self { base, max, failures: Failures::new() }
    }
}

impl<K: Hash + Eq + Clone + Send> RateLimiter<K> for ExponentialFailure<K> {
    fn when(&self, key: &K) -> Duration {
        let failures = self.failures.count(key);
        let delay = 1_u32.checked_shl(failures).and_then(|factor| self.base.checked_mul(factor));
        match delay {
            Some(delay) => delay.min(self.max),
            None if self.base.is_zero() => Duration::ZERO,
            // The factor exceeds 2^31: double step by step, as far as the type reaches.
            None => {
                let mut delay = self.base;
                for _ in 0..failures {
                    delay = delay.saturating_mul(2);
                    if delay >= self.max {
                        return self.max;
                    }
                }
                delay
            }
        }
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

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn t2_3_01_doubles_and_forget_returns_to_base() {
        let limiter = ExponentialFailure::new(MS, Duration::from_secs(1));
        for want in [1, 2, 4, 8, 16] {
            assert_eq!(limiter.when(&"one"), MS * want);
        }
        assert_eq!(limiter.num_requeues(&"one"), 5);
        assert_eq!(limiter.when(&"two"), MS);
        assert_eq!(limiter.num_requeues(&"two"), 1);
        limiter.forget(&"one");
        assert_eq!(limiter.num_requeues(&"one"), 0);
        assert_eq!(limiter.when(&"one"), MS);
    }

    #[test]
    fn t2_3_02_many_failures_give_max_and_never_overflow() {
        let limiter = ExponentialFailure::new(MS, Duration::from_secs(1000));
        let delays: Vec<Duration> = (0..2000).map(|_| limiter.when(&"one")).collect();
        assert!(delays.is_sorted());
        assert_eq!(delays[19], MS * (1 << 19));
        assert!(delays[20..].iter().all(|&delay| delay == Duration::from_secs(1000)));
    }

    #[test]
    fn odd_bounds_are_defined() {
        let zero = ExponentialFailure::new(Duration::ZERO, Duration::MAX);
        assert!((0..100).all(|_| zero.when(&1) == Duration::ZERO));
        let inverted = ExponentialFailure::new(Duration::from_secs(9), Duration::from_secs(1));
        assert!((0..100).all(|_| inverted.when(&1) == Duration::from_secs(1)));
        let tiny = ExponentialFailure::new(Duration::from_nanos(1), Duration::MAX);
        let delays: Vec<Duration> = (0..200).map(|_| tiny.when(&1)).collect();
        assert!(delays.is_sorted());
        assert_eq!(delays[40], Duration::from_nanos(1 << 40));
        assert_eq!(delays[199], Duration::MAX);
    }
}
