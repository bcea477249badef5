use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::RateLimiter;
use super::token_bucket::TokenBucket;

/// One rate for all keys together: `burst` tries at once, then `qps` per second. client-go's
/// `BucketRateLimiter`.
///
/// Each call takes a token, or reserves the next one: waits queue up behind each other. It does not count
/// failures per key, so combine it with a limiter that does ([`MaxOf`](crate::MaxOf)).
///
/// With a `qps` of zero (or negative, or not a number) only the burst is ever allowed; then the wait is
/// [`Duration::MAX`]. With a `burst` of zero no try is allowed. An infinite `qps` limits nothing.
///
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// # use std::time::Duration;
/// # use client_rs_workqueue::{BucketRateLimiter, RateLimiter};
/// let limiter = BucketRateLimiter::new(10.0, 2);
/// let waits: Vec<Duration> = ["a", "b", "c"].iter().map(|key| limiter.when(key)).collect();
/// assert_eq!(waits, [Duration::ZERO, Duration::ZERO, Duration::from_millis(100)]);
/// # }
/// ```
#[derive(Debug)]
pub struct BucketRateLimiter(Mutex<TokenBucket>);

impl BucketRateLimiter {
    /// Allows `qps` tries per second, and `burst` at once.
    pub fn new(qps: f64, burst: u32) -> Self {
        Self(Mutex::new(TokenBucket::new(qps, burst)))
    }
}

impl<K: ?Sized> RateLimiter<K> for BucketRateLimiter {
    fn when(&self, _key: &K) -> Duration {
        let mut bucket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.reserve(Instant::now(), None).unwrap_or(Duration::MAX)
    }

    fn forget(&self, _key: &K) {}

    fn num_requeues(&self, _key: &K) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn follows_the_clock() {
        let bucket = BucketRateLimiter::new(10.0, 1);
        assert_eq!(bucket.when("a"), Duration::ZERO);
        assert_eq!(bucket.when("b"), Duration::from_millis(100));
        tokio::time::advance(Duration::from_millis(150)).await;
        assert_eq!(bucket.when("c"), Duration::from_millis(50));
        assert_eq!(RateLimiter::<str>::num_requeues(&bucket, "a"), 0);
        assert_eq!(BucketRateLimiter::new(0.0, 0).when("a"), Duration::MAX);
    }
}
