//! A token bucket as a state machine over time.

use std::time::Duration;

use tokio::time::Instant;

/// Tokens that come at a rate and are kept up to a burst; starts full.
///
/// No clock of its own: every call says what time it is. A time before an earlier one gives nothing.
///
/// A rate that is not positive (or not a number) gives nothing beyond the burst; a burst of 0 gives nothing at all; an
/// infinite rate limits nothing, unless the burst is 0.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    qps: f64,
    burst: u32,
    /// Nanoseconds between tokens; `None` when none come.
    interval: Option<u64>,
    /// When time begins.
    epoch: Option<Instant>,
    /// When the bucket is full again, in nanoseconds since the epoch. Where no token comes: how many are gone.
    full_at: i128,
}

impl TokenBucket {
    /// `qps` tokens a second, at most `burst` at once.
    pub fn new(qps: f64, burst: u32) -> Self {
        let qps = if qps > 0.0 { qps } else { 0.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as wanted")]
        let interval = (qps > 0.0).then(|| (1e9 / qps).round() as u64);
        Self { qps, burst, interval, epoch: None, full_at: 0 }
    }

    /// Tokens a second.
    pub fn qps(&self) -> f64 {
        self.qps
    }

    /// Takes a token if one is there.
    pub fn try_take(&mut self, now: Instant) -> bool {
        self.reserve(now, Some(Duration::ZERO)).is_some()
    }

    /// Takes the next token, and says how long it is until it is there; `None`, and nothing taken, if that
    /// is longer than `patience` or never. Waits queue up behind each other.
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

    /// Gives back a token that was reserved and not used.
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
        // A token a second, but never more than the burst.
        let later = start + Duration::from_mins(1);
        assert!(bucket.try_take(later));
        assert!(!bucket.try_take(later));
    }

    #[test]
    fn t8_5_01_precision_small_rates_wait_as_long_as_they_say() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(f64::from(0.01_f32), 1));
        assert_eq!(bucket.reserve(start, None), Some(Duration::ZERO));
        let wait = bucket.reserve(start, None).unwrap();
        assert!((wait.as_secs_f64() - 100.0).abs() < 1e-3, "{wait:?}");
    }

    #[test]
    fn reservations_line_up_and_can_be_given_back() {
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
    fn what_never_comes_is_not_waited_for() {
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
    fn an_endless_rate_is_always_and_the_slowest_is_slow() {
        let now = Instant::now();
        let mut endless = TokenBucket::new(f64::INFINITY, 1);
        assert!((0..1000).all(|_| endless.try_take(now)));
        let mut slow = TokenBucket::new(f64::MIN_POSITIVE, 1);
        assert!(slow.try_take(now));
        assert!(slow.reserve(now, None).unwrap() > Duration::from_secs(1 << 33));
        assert_eq!(slow.reserve(now, None), None);
    }

    #[test]
    fn time_that_goes_back_gives_nothing() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(1.0, 1));
        let later = start + Duration::from_secs(10);
        assert!(bucket.try_take(later));
        assert!(!bucket.try_take(start));
        assert!(!bucket.try_take(later));
    }
}
