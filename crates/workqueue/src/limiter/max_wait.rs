use std::time::Duration;

use super::RateLimiter;

/// Another limiter with an upper bound for its waits.
///
/// ```
/// # use std::time::Duration;
/// # use client_rs_workqueue::{ExponentialFailure, MaxWait, RateLimiter};
/// let backoff = ExponentialFailure::new(Duration::from_secs(1), Duration::MAX);
/// let limiter = MaxWait::new(backoff, Duration::from_secs(3));
/// let waits: Vec<u64> = (0..4).map(|_| limiter.when(&"web").as_secs()).collect();
/// assert_eq!(waits, [1, 2, 3, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct MaxWait<L> {
    limiter: L,
    max: Duration,
}

impl<L> MaxWait<L> {
    /// Waits as long as `limiter`, but never more than `max`.
    pub fn new(limiter: L, max: Duration) -> Self {
        Self { limiter, max }
    }
}

impl<K: ?Sized, L: RateLimiter<K>> RateLimiter<K> for MaxWait<L> {
    fn when(&self, key: &K) -> Duration {
        self.limiter.when(key).min(self.max)
    }

    fn forget(&self, key: &K) {
        self.limiter.forget(key);
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.limiter.num_requeues(key)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BucketRateLimiter, FastSlow};
    use super::*;

    #[test]
    fn t2_3_05_never_more_than_the_cap() {
        let ms = Duration::from_millis;
        let limiter = MaxWait::new(FastSlow::new(ms(5), Duration::from_secs(3), 3), ms(500));
        let waits: Vec<Duration> = (0..5).map(|_| limiter.when(&"one")).collect();
        assert_eq!(waits, [ms(5), ms(5), ms(5), ms(500), ms(500)]);
        assert_eq!(limiter.num_requeues(&"one"), 5);
        limiter.forget(&"one");
        assert_eq!(limiter.when(&"one"), ms(5));
        let never = MaxWait::new(BucketRateLimiter::new(0.0, 0), ms(500));
        assert_eq!(never.when("one"), ms(500));
    }
}
