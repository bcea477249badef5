//! A token bucket as a state machine over time.

use std::time::Duration;

use tokio::time::Instant;

/// A token bucket: tokens come at a rate and are kept up to a burst. It starts full.
///
/// It has no clock: the caller passes the time. A time before an earlier one yields no tokens. Use
/// [`BucketRateLimiter`](crate::BucketRateLimiter) for a queue, and this for other limits, such as requests per
/// second.
///
/// A rate that is not positive (or not a number) yields no tokens beyond the burst. With a burst of 0 there is
/// never a token. An infinite rate limits nothing, unless the burst is 0.
///
///
/// ```
/// # use std::time::Duration;
/// # use client_rs_workqueue::TokenBucket;
/// # use tokio::time::Instant;
/// let now = Instant::now();
/// let mut bucket = TokenBucket::new(10.0, 1);
/// assert!(bucket.try_take(now));
/// assert!(!bucket.try_take(now));
/// assert!(bucket.try_take(now + Duration::from_millis(100)));
/// ```
#[derive(Clone, Debug)]
pub struct TokenBucket {
    qps: f64,
    burst: u32,
    /// Nanoseconds between tokens; `None` without a rate.
    interval: Option<u64>,
    /// The time of the first call.
    epoch: Option<Instant>,
    /// When the bucket is full again, in nanoseconds since the epoch. With no rate: the number of tokens taken.
    full_at: i128,
}

impl TokenBucket {
    /// Allows `qps` tokens per second, and at most `burst` at once.
    pub fn new(qps: f64, burst: u32) -> Self {
        let qps = if qps > 0.0 { qps } else { 0.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as wanted")]
        let interval = (qps > 0.0).then(|| (1e9 / qps).round() as u64);
        Self { qps, burst, interval, epoch: None, full_at: 0 }
    }

    /// Returns the rate, in tokens per second.
    pub fn qps(&self) -> f64 {
        self.qps
    }

    /// Takes a token if one is available.
    pub fn try_take(&mut self, now: Instant) -> bool {
        self.reserve(now, Some(Duration::ZERO)).is_some()
    }

    /// Takes the next token and returns how long to wait until it is available. Returns `None`, and takes
    /// nothing, if that is longer than `patience` or never. Waits queue up behind each other.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::TokenBucket;
    /// # use tokio::time::Instant;
    /// let now = Instant::now();
    /// let mut bucket = TokenBucket::new(10.0, 1);
    /// assert_eq!(bucket.reserve(now, None), Some(Duration::ZERO));
    /// assert_eq!(bucket.reserve(now, None), Some(Duration::from_millis(100)));
    /// assert_eq!(bucket.reserve(now, Some(Duration::from_millis(150))), None);
    /// bucket.give_back();
    /// assert_eq!(bucket.reserve(now, Some(Duration::from_millis(150))), Some(Duration::from_millis(100)));
    /// ```
    pub fn reserve(&mut self, now: Instant, patience: Option<Duration>) -> Option<Duration> {
        let now = self.nanos(now);
        let (full_at, wait) = match self.interval {
            _ if self.burst == 0 => return None,
            None if self.full_at >= i128::from(self.burst) => return None,
            None => (self.full_at + 1, Duration::ZERO),
            Some(interval) => {
                let full_at = self.full_at.max(now) + i128::from(interval);
                let empty_at = full_at - i128::from(interval) * i128::from(self.burst);
                (full_at, Duration::from_nanos(u64::try_from((empty_at - now).max(0)).ok()?))
            }
        };
        if patience.is_some_and(|patience| wait > patience) {
            return None;
        }
        self.full_at = full_at;
        Some(wait)
    }

    /// Returns a reserved token that was not used.
    pub fn give_back(&mut self) {
        self.full_at = match self.interval {
            Some(interval) => self.full_at - i128::from(interval),
            None => (self.full_at - 1).max(0),
        };
    }

    fn nanos(&mut self, now: Instant) -> i128 {
        let passed = now.saturating_duration_since(*self.epoch.get_or_insert(now));
        i128::try_from(passed.as_nanos()).unwrap_or(i128::MAX / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(bucket: &mut TokenBucket, now: Instant, count: usize) -> Vec<u128> {
        (0..count).map(|_| bucket.reserve(now, None).unwrap().as_millis()).collect()
    }

    #[test]
    fn a_burst_then_the_rate_and_waits_queue_up() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(10.0, 3));
        assert_eq!(waits(&mut bucket, start, 6), [0, 0, 0, 100, 200, 300]);
        let later = start + Duration::from_millis(200);
        assert_eq!(waits(&mut bucket, later, 1), [200], "two tokens came, both were booked");
        let later = start + Duration::from_secs(100);
        assert_eq!(waits(&mut bucket, later, 4), [0, 0, 0, 100], "never more than the burst at once");
    }

    #[test]
    fn t8_5_01_basic_throttle() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(1.0, 3));
        for _ in 0..3 {
            assert!(bucket.try_take(start));
        }
        assert!(!bucket.try_take(start));
    }

    #[test]
    fn t8_5_01_increment_throttle() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(1.0, 1));
        assert!(bucket.try_take(start));
        assert!(!bucket.try_take(start));
        assert!(!bucket.try_take(start + Duration::from_millis(999)));
        assert!(bucket.try_take(start + Duration::from_secs(1)));
        // One token per second, but never more than the burst.
        let later = start + Duration::from_mins(1);
        assert!(bucket.try_take(later));
        assert!(!bucket.try_take(later));
    }

    #[test]
    fn t8_5_01_precision_of_small_rates() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(f64::from(0.01_f32), 1));
        assert_eq!(bucket.reserve(start, None), Some(Duration::ZERO));
        let wait = bucket.reserve(start, None).unwrap();
        assert!((wait.as_secs_f64() - 100.0).abs() < 1e-3, "{wait:?}");
    }

    #[test]
    fn reservations_queue_up_and_can_be_returned() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(10.0, 1));
        assert_eq!(waits(&mut bucket, start, 4), [0, 100, 200, 300]);
        bucket.give_back();
        assert_eq!(waits(&mut bucket, start, 1), [300]);
        assert_eq!(bucket.reserve(start, Some(Duration::from_millis(399))), None);
        assert_eq!(bucket.reserve(start, Some(Duration::from_millis(400))).unwrap().as_millis(), 400);
        let later = start + Duration::from_mins(1);
        bucket.give_back();
        assert_eq!(waits(&mut bucket, later, 2), [0, 100], "never more than the burst");
    }

    #[test]
    fn without_a_rate_or_a_burst_there_is_nothing_to_wait_for() {
        let now = Instant::now();
        for qps in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            let mut bucket = TokenBucket::new(qps, 2);
            assert_eq!(waits(&mut bucket, now, 2), [0, 0]);
            assert_eq!(bucket.reserve(now + Duration::from_secs(1000), None), None, "{qps}");
            bucket.give_back();
            assert!(bucket.try_take(now) && !bucket.try_take(now));
            assert_eq!(bucket.qps().to_bits(), 0.0_f64.to_bits());
        }
        assert_eq!(TokenBucket::new(10.0, 0).reserve(now, None), None);
    }

    #[test]
    fn an_infinite_rate_never_waits_and_the_smallest_rate_waits_for_centuries() {
        let now = Instant::now();
        let mut endless = TokenBucket::new(f64::INFINITY, 1);
        assert!((0..1000).all(|_| endless.try_take(now)));
        let mut slow = TokenBucket::new(f64::MIN_POSITIVE, 1);
        assert!(slow.try_take(now));
        assert!(slow.reserve(now, None).unwrap() > Duration::from_secs(1 << 33));
        assert_eq!(slow.reserve(now, None), None);
    }

    #[test]
    fn a_time_before_an_earlier_one_yields_no_token() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(1.0, 1));
        let later = start + Duration::from_secs(10);
        assert!(bucket.try_take(later));
        assert!(!bucket.try_take(start));
        assert!(!bucket.try_take(later));
    }
}
