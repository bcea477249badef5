use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use super::{BucketRateLimiter, ExponentialFailure, RateLimiter};

/// The longest wait of several limiters. Each of them counts each failure.
///
/// ```
/// # use std::time::Duration;
/// # use client_rs_workqueue::{ExponentialFailure, FastSlow, MaxOf, RateLimiter};
/// let ms = Duration::from_millis;
/// let limiter = MaxOf::new(vec![
///     Box::new(ExponentialFailure::new(ms(1), ms(1000))),
///     Box::new(FastSlow::new(ms(3), ms(3), 0)),
/// ]);
/// let waits: Vec<u128> = (0..4).map(|_| limiter.when(&"web").as_millis()).collect();
/// assert_eq!(waits, [3, 3, 4, 8]);
/// ```
pub struct MaxOf<K: ?Sized> {
    limiters: Vec<Box<dyn RateLimiter<K>>>,
}

impl<K: ?Sized> MaxOf<K> {
    /// Combines these limiters. With an empty list nothing ever waits.
    pub fn new(limiters: Vec<Box<dyn RateLimiter<K>>>) -> Self {
        Self { limiters }
    }
}

impl<K: Hash + Eq + Clone + Send + 'static> MaxOf<K> {
    /// The limiter of client-go's controllers: per key 5 ms doubling to 1,000 s, and for all keys together 10
    /// retries per second with a burst of 100. It applies to retries only; events are not limited.
    ///
    /// ```
    /// # use client_rs_workqueue::{MaxOf, RateLimiter};
    /// let limiter = MaxOf::controller_default();
    /// let waits: Vec<u128> = (0..3).map(|_| limiter.when(&"web").as_millis()).collect();
    /// assert_eq!(waits, [5, 10, 20]);
    /// ```
    pub fn controller_default() -> Self {
        Self::new(vec![
            Box::new(ExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1000))),
            Box::new(BucketRateLimiter::new(10.0, 100)),
        ])
    }
}

impl<K: ?Sized> RateLimiter<K> for MaxOf<K> {
    fn when(&self, key: &K) -> Duration {
        self.limiters.iter().map(|limiter| limiter.when(key)).max().unwrap_or_default()
    }

    fn forget(&self, key: &K) {
        for limiter in &self.limiters {
            limiter.forget(key);
        }
    }

    fn num_requeues(&self, key: &K) -> u32 {
        self.limiters.iter().map(|limiter| limiter.num_requeues(key)).max().unwrap_or_default()
    }
}

impl<K: ?Sized> fmt::Debug for MaxOf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaxOf").field("limiters", &self.limiters.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::FastSlow;
    use super::*;

    #[test]
    fn t2_3_04_the_longest_wait_counts_and_all_limiters_count_the_failure() {
        let ms = Duration::from_millis;
        let steep = Arc::new(ExponentialFailure::new(ms(1), ms(1000)));
        let steps = Arc::new(FastSlow::new(ms(5), ms(3000), 3));
        let limiter = MaxOf::new(vec![Box::new(Arc::clone(&steep)), Box::new(Arc::clone(&steps))]);
        let waits: Vec<Duration> = (0..5).map(|_| limiter.when(&"one")).collect();
        assert_eq!(waits, [ms(5), ms(5), ms(5), ms(3000), ms(3000)]);
        assert_eq!((steep.num_requeues(&"one"), steps.num_requeues(&"one")), (5, 5));
        assert_eq!(limiter.num_requeues(&"one"), 5);
        limiter.forget(&"one");
        assert_eq!((steep.num_requeues(&"one"), steps.num_requeues(&"one")), (0, 0));
        assert_eq!(limiter.when(&"one"), ms(5));
    }

    #[test]
    fn an_empty_list_of_limiters_never_waits() {
        let none = MaxOf::<str>::new(Vec::new());
        assert_eq!((none.when("a"), none.num_requeues("a")), (Duration::ZERO, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn the_default_has_client_gos_constants() {
        let limiter = MaxOf::controller_default();
        let one: Vec<u128> = (0..4).map(|_| limiter.when(&1).as_millis()).collect();
        assert_eq!(one, [5, 10, 20, 40]);
        let others: Vec<u128> = (2..100).map(|other| limiter.when(&other).as_millis()).collect();
        assert!(others[..96].iter().all(|&wait| wait == 5), "the burst of 100");
        assert_eq!(others[96..], [100, 200], "then ten a second");
        for _ in 0..30 {
            limiter.when(&1);
        }
        assert_eq!(limiter.when(&1), Duration::from_secs(1000));
    }
}
