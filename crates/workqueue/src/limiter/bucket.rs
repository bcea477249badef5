use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::RateLimiter;

/// An overall rate, whatever the key: `burst` tries at once, then `qps` a second.
///
/// Each call takes a token, or books the next one to come: waits queue up behind each other. Failures are
/// not counted a key.
///
/// With a `qps` of zero (or below, or not a number) the burst is all there ever is, and then the wait is
/// [`Duration::MAX`]. With a `burst` of zero no try is ever allowed. An infinite `qps` limits nothing.
#[derive(Debug)]
pub struct TokenBucket {
    epoch: Instant,
    burst: u32,
    /// Nanoseconds between tokens; `None` when none come.
    interval: Option<u64>,
    /// When the bucket is full again, in nanoseconds since the epoch; negative before it was first used.
    full_at: Mutex<i128>,
}

impl TokenBucket {
    /// `qps` tries a second, `burst` at once.
    pub fn new(qps: f64, burst: u32) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as wanted")]
        let interval = (qps > 0.0).then(|| (1e9 / qps).round() as u64);
        Self { epoch: Instant::now(), burst, interval, full_at: Mutex::new(i128::MIN) }
    }

    /// The wait of a try at `now` nanoseconds since the epoch.
    fn reserve(&self, now: i128) -> Duration {
        if self.burst == 0 {
            return Duration::MAX;
        }
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(interval) = self.interval else {
            // No token comes back: what is left of the burst is counted up from the least number.
            let used = full_at.saturating_sub(i128::MIN);
            if used >= i128::from(self.burst) {
                return Duration::MAX;
            }
            *full_at += 1;
            return Duration::ZERO;
        };
        let depth = i128::from(interval) * i128::from(self.burst);
        *full_at = (*full_at).max(now) + i128::from(interval);
        let wait = (*full_at - depth - now).max(0);
        u64::try_from(wait).map_or(Duration::MAX, Duration::from_nanos)
    }
}

impl<K: ?Sized> RateLimiter<K> for TokenBucket {
    fn when(&self, _key: &K) -> Duration {
        self.reserve(i128::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(i128::MAX / 2))
    }

    fn forget(&self, _key: &K) {}

    fn num_requeues(&self, _key: &K) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i128 = 1_000_000_000;

    #[test]
    fn a_burst_then_the_rate_and_waits_queue_up() {
        let bucket = TokenBucket::new(10.0, 3);
        let waits: Vec<u128> = (0..6).map(|_| bucket.reserve(0).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200, 300]);
        assert_eq!(bucket.reserve(SECOND / 5).as_millis(), 200, "two tokens came, both were booked");
        assert_eq!(bucket.reserve(100 * SECOND), Duration::ZERO);
        let refilled: Vec<u128> = (0..3).map(|_| bucket.reserve(100 * SECOND).as_millis()).collect();
        assert_eq!(refilled, [0, 0, 100], "never more than the burst at once");
    }

    #[test]
    fn no_rate_gives_the_burst_and_then_never() {
        for qps in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            let bucket = TokenBucket::new(qps, 2);
            assert_eq!(bucket.reserve(0), Duration::ZERO);
            assert_eq!(bucket.reserve(0), Duration::ZERO);
            assert_eq!(bucket.reserve(1000 * SECOND), Duration::MAX, "{qps}");
        }
    }

    #[test]
    fn no_burst_is_never_and_an_endless_rate_is_always() {
        assert_eq!(TokenBucket::new(10.0, 0).reserve(0), Duration::MAX);
        let endless = TokenBucket::new(f64::INFINITY, 1);
        assert!((0..1000).all(|_| endless.reserve(0) == Duration::ZERO));
        let slow = TokenBucket::new(f64::MIN_POSITIVE, 1);
        assert_eq!(slow.reserve(0), Duration::ZERO);
        assert!(slow.reserve(0) > Duration::from_secs(1 << 33));
        assert_eq!(slow.reserve(0), Duration::MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn follows_the_clock() {
        let bucket = TokenBucket::new(10.0, 1);
        assert_eq!(bucket.when("a"), Duration::ZERO);
        assert_eq!(bucket.when("b"), Duration::from_millis(100));
        tokio::time::advance(Duration::from_millis(150)).await;
        assert_eq!(bucket.when("c"), Duration::from_millis(50));
        assert_eq!(RateLimiter::<str>::num_requeues(&bucket, "a"), 0);
    }
}
