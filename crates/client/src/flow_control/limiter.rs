//! Rate limiters of a client.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_core::future::BoxFuture;
use tokio::time::Instant;

use super::TokenBucket;

/// Limits the rate of requests.
///
/// All clients with the same `Arc` share the limit. Dropping the future of [`acquire`](Self::acquire) gives up the place in the
/// queue: a request that is cancelled while it waits does not delay the others.
pub trait RequestRateLimiter: Send + Sync + fmt::Debug + 'static {
    /// Takes a token now, if there is one.
    fn try_acquire(&self) -> bool;

    /// Waits for a token, at most for `patience`. Returns `false` at once if there will be none in time.
    fn acquire(&self, patience: Option<Duration>) -> BoxFuture<'_, bool>;

    /// The number of requests per second, for display.
    fn qps(&self) -> f32;
}

/// A rate limiter with a [`TokenBucket`] on tokio's clock: a burst, then a constant rate.
///
/// ```
/// use std::time::Duration;
/// use client_rs_client::flow_control::{RequestRateLimiter, TokenBucketLimiter};
/// use tokio::time::Instant;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let limiter = TokenBucketLimiter::new(10.0, 2);
/// assert!(limiter.try_acquire() && limiter.try_acquire(), "a burst of two");
/// assert!(!limiter.try_acquire());
///
/// let start = Instant::now();
/// assert!(limiter.acquire(None).await);
/// assert!(start.elapsed() >= Duration::from_millis(100));
/// assert!(!limiter.acquire(Some(Duration::from_millis(1))).await, "no token in time");
/// # }
/// ```
#[derive(Debug)]
pub struct TokenBucketLimiter(Mutex<TokenBucket>);

impl TokenBucketLimiter {
    /// A limiter of `qps` requests per second, with at most `burst` at once.
    pub fn new(qps: f32, burst: u32) -> Self {
        Self(Mutex::new(TokenBucket::new(f64::from(qps), burst)))
    }

    fn with<T>(&self, work: impl FnOnce(&mut TokenBucket) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl RequestRateLimiter for TokenBucketLimiter {
    fn try_acquire(&self) -> bool {
        self.with(|bucket| bucket.try_take(Instant::now()))
    }

    fn acquire(&self, patience: Option<Duration>) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            let now = Instant::now();
            let Some(wait) = self.with(|bucket| bucket.reserve(now, patience)) else { return false };
            if !wait.is_zero() {
                let reservation = Reservation(Some(self));
                tokio::time::sleep(wait).await;
                reservation.used();
            }
            true
        })
    }

    #[allow(clippy::cast_possible_truncation, reason = "the rate was given as an `f32`")]
    fn qps(&self) -> f32 {
        self.with(|bucket| bucket.qps() as f32)
    }
}

/// Returns the token if the wait is cancelled.
struct Reservation<'a>(Option<&'a TokenBucketLimiter>);

impl Reservation<'_> {
    fn used(mut self) {
        self.0 = None;
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if let Some(limiter) = self.0 {
            limiter.with(TokenBucket::give_back);
        }
    }
}

/// Permits every request.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnlimitedLimiter;

impl RequestRateLimiter for UnlimitedLimiter {
    fn try_acquire(&self) -> bool {
        true
    }

    fn acquire(&self, _: Option<Duration>) -> BoxFuture<'_, bool> {
        Box::pin(std::future::ready(true))
    }

    fn qps(&self) -> f32 {
        f32::INFINITY
    }
}

/// Permits no request: for tests of code that must not send any.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverLimiter;

impl RequestRateLimiter for NeverLimiter {
    fn try_acquire(&self) -> bool {
        false
    }

    fn acquire(&self, _: Option<Duration>) -> BoxFuture<'_, bool> {
        Box::pin(std::future::ready(false))
    }

    fn qps(&self) -> f32 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn t8_5_01_throttle_of_many_tasks() {
        let limiter = Arc::new(TokenBucketLimiter::new(100.0, 1));
        let start = Instant::now();
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let limiter = Arc::clone(&limiter);
                tokio::spawn(async move {
                    for _ in 0..3 {
                        assert!(limiter.acquire(None).await);
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        // Thirty tokens, one of them available from the start.
        assert_eq!(start.elapsed().as_millis() / 10, 29);
    }

    #[tokio::test(start_paused = true)]
    async fn t8_5_01_wait_fails_early_when_the_deadline_can_not_be_met() {
        let limiter = TokenBucketLimiter::new(1.0, 1);
        assert!(limiter.acquire(None).await);
        let start = Instant::now();
        assert!(!limiter.acquire(Some(Duration::from_millis(500))).await);
        assert_eq!(start.elapsed(), Duration::ZERO);
        assert!(limiter.acquire(Some(Duration::from_secs(2))).await);
        assert!(!limiter.try_acquire());
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_wait_does_not_delay_the_next() {
        let limiter = TokenBucketLimiter::new(1.0, 1);
        assert!(limiter.acquire(None).await);
        let cut = tokio::time::timeout(Duration::from_millis(10), limiter.acquire(None)).await;
        assert!(cut.is_err());
        let start = Instant::now();
        assert!(limiter.acquire(None).await);
        assert!(start.elapsed() < Duration::from_millis(995), "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn t8_5_01_fakes_always_and_never() {
        assert!(UnlimitedLimiter.try_acquire() && UnlimitedLimiter.acquire(None).await);
        assert!(!NeverLimiter.try_acquire() && !NeverLimiter.acquire(None).await);
        assert!(UnlimitedLimiter.qps() > NeverLimiter.qps());
    }
}
