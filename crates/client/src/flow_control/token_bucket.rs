//! A token bucket as a state machine over time.

use std::time::Duration;

use tokio::time::Instant;

use crate::backoff::scaled;

/// Tokens that come at a rate and are kept up to a burst; starts full.
///
/// No clock of its own: every call says what time it is. A time before the last one counts as the last one.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    qps: f64,
    burst: f64,
    /// Below zero where tokens have been promised that are yet to come.
    tokens: f64,
    last: Option<Instant>,
}

impl TokenBucket {
    /// `qps` tokens a second, at most `burst` at once. A rate that is not positive gives nothing beyond the
    /// burst; a burst of 0 gives nothing at all.
    pub fn new(qps: f32, burst: u32) -> Self {
        let qps = if qps > 0.0 { f64::from(qps) } else { 0.0 };
        Self { qps, burst: f64::from(burst), tokens: f64::from(burst), last: None }
    }

    /// Tokens a second.
    #[allow(clippy::cast_possible_truncation)] // It came as an `f32`.
    pub fn qps(&self) -> f32 {
        self.qps as f32
    }

    /// Takes a token if one is there.
    pub fn try_take(&mut self, now: Instant) -> bool {
        self.advance(now);
        let taken = self.tokens >= 1.0;
        if taken {
            self.tokens -= 1.0;
        }
        taken
    }

    /// Takes the next token, and says how long it is until it is there; `None`, and nothing taken, if that
    /// is longer than `patience` or never.
    pub fn reserve(&mut self, now: Instant, patience: Option<Duration>) -> Option<Duration> {
        self.advance(now);
        let wait = self.until_next()?;
        if patience.is_some_and(|patience| wait > patience) {
            return None;
        }
        self.tokens -= 1.0;
        Some(wait)
    }

    /// Gives back a token that was reserved and not used.
    pub fn give_back(&mut self) {
        self.tokens = (self.tokens + 1.0).min(self.burst);
    }

    fn until_next(&self) -> Option<Duration> {
        let missing = 1.0 - self.tokens;
        if self.burst < 1.0 {
            None
        } else if missing <= 0.0 {
            Some(Duration::ZERO)
        } else if self.qps > 0.0 {
            Some(scaled(Duration::from_secs(1), missing / self.qps))
        } else {
            None
        }
    }

    fn advance(&mut self, now: Instant) {
        let last = *self.last.get_or_insert(now);
        let passed = now.saturating_duration_since(last);
        self.last = Some(last.max(now));
        self.tokens = (self.tokens + passed.as_secs_f64() * self.qps).min(self.burst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(0.01, 1));
        assert_eq!(bucket.reserve(start, None), Some(Duration::ZERO));
        let wait = bucket.reserve(start, None).unwrap();
        assert!((wait.as_secs_f64() - 100.0).abs() < 1e-3, "{wait:?}");
    }

    #[test]
    fn reservations_line_up_and_can_be_given_back() {
        let (start, mut bucket) = (Instant::now(), TokenBucket::new(10.0, 1));
        let waits: Vec<_> = (0..4).map(|_| bucket.reserve(start, None).unwrap().as_millis()).collect();
        assert_eq!(waits, [0, 100, 200, 300]);
        bucket.give_back();
        assert_eq!(bucket.reserve(start, None).unwrap().as_millis(), 300);
        assert_eq!(bucket.reserve(start, Some(Duration::from_millis(399))), None);
        assert_eq!(bucket.reserve(start, Some(Duration::from_millis(400))).unwrap().as_millis(), 400);
    }

    #[test]
    fn what_never_comes_is_not_waited_for() {
        let now = Instant::now();
        assert_eq!(TokenBucket::new(5.0, 0).reserve(now, None), None);
        let mut once = TokenBucket::new(0.0, 1);
        assert_eq!(once.reserve(now, None), Some(Duration::ZERO));
        assert_eq!(once.reserve(now, None), None);
        assert_eq!(TokenBucket::new(f32::NAN, 1).qps().to_bits(), 0.0_f32.to_bits());
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
