//! The waits of a reflector between attempts.

use std::time::{Duration, Instant};

use client_rs_machinery::canary;

use crate::random::Random;

/// Returns the wait before each attempt.
///
/// One instance serves a whole reflector: the pause between two rounds and the waits within a round advance the
/// same state. It must depend only on its calls, not on a clock of its own.
///
///
/// ```
/// use std::time::{Duration, Instant};
/// use client_rs_cache::reflector::{ReflectorOptions, RetryBackoff};
/// use client_rs_machinery::Unstructured;
///
/// /// Always the same wait.
/// struct Fixed(Duration);
///
/// impl RetryBackoff for Fixed {
///     fn next_delay(&mut self, _now: Instant) -> Duration {
///         self.0
///     }
/// }
///
/// let backoff = Box::new(Fixed(Duration::from_secs(5)));
/// let mut options = ReflectorOptions::<Unstructured>::default().with_backoff(backoff);
/// assert_eq!(options.backoff.next_delay(Instant::now()).as_secs(), 5);
/// ```
pub trait RetryBackoff: Send {
    /// Returns the wait before the next attempt, at the time `now`.
    fn next_delay(&mut self, now: Instant) -> Duration;
}

/// Delays that double. The defaults are those of client-go.
///
/// 800 ms, 1.6 s, … 25.6 s, then 30 s, each lengthened at random by up to its own length. Two minutes after the
/// last reset (or the first call), the next delay is the first one again, whether or not attempts failed in
/// between.
///
///
/// ```
/// use std::time::Instant;
/// use client_rs_cache::Random;
/// use client_rs_cache::reflector::{BackoffOptions, ExponentialBackoff, RetryBackoff};
///
/// let mut backoff = ExponentialBackoff::new(BackoffOptions::default(), Random::from_fn(|| 0.0));
/// let now = Instant::now();
/// let delays: Vec<u128> = (0..3).map(|_| backoff.next_delay(now).as_millis()).collect();
/// assert_eq!(delays, [800, 1600, 3200]);
/// ```
#[derive(Debug)]
pub struct ExponentialBackoff {
    options: BackoffOptions,
    random: Random,
    base: Duration,
    reset_at: Option<Instant>,
}

client_rs_machinery::options! {
    /// The constants of an [`ExponentialBackoff`].
    #[derive(Clone, Debug)]
    pub struct BackoffOptions {
        /// The first delay, before jitter. Default: 800 ms.
        pub initial: Duration => with_initial,
        /// The longest delay, before jitter. Default: 30 s.
        pub max: Duration => with_max,
        /// The factor from one delay to the next. Default: 2.
        pub factor: f64 => with_factor,
        /// The largest random extension, as a part of the delay. Default: 1.
        pub jitter: f64 => with_jitter,
        /// The time from one reset to `initial` to the next. Default: 2 min.
        pub reset_after: Duration => with_reset_after,
    }
}

impl Default for BackoffOptions {
    fn default() -> Self {
        Self {
            initial: Duration::from_millis(800),
            max: Duration::from_secs(30),
            factor: 2.0,
            jitter: 1.0,
            reset_after: Duration::from_mins(2),
        }
    }
}

impl ExponentialBackoff {
    /// Makes a backoff before its first delay.
    pub fn new(options: BackoffOptions, random: Random) -> Self {
        Self { base: options.initial, options, random, reset_at: None }
    }
}

impl Default for ExponentialBackoff {
    fn default() -> Self {
        Self::new(BackoffOptions::default(), Random::default())
    }
}

impl RetryBackoff for ExponentialBackoff {
    fn next_delay(&mut self, now: Instant) -> Duration {
        let since = *self.reset_at.get_or_insert(now);
        if now.saturating_duration_since(since) > self.options.reset_after {
            self.reset_at = Some(now);
            self.base = self.options.initial;
        }
        let delay = if canary!(15) { Duration::ZERO } else { self.base };
        self.base = scale(delay, self.options.factor).min(self.options.max);
        scale(delay, 1.0 + self.options.jitter * self.random.next_unit())
    }
}

/// Returns the product, or the longest duration if the factor is not valid.
fn scale(delay: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(delay.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(backoff: &mut ExponentialBackoff, now: Instant, count: usize) -> Vec<u128> {
        (0..count).map(|_| backoff.next_delay(now).as_millis()).collect()
    }

    #[test]
    fn t1_2_10_backoff_grows_to_its_cap_and_resets_after_two_minutes() {
        let start = Instant::now();
        let mut backoff = ExponentialBackoff::new(BackoffOptions::default(), Random::from_fn(|| 0.0));
        let rising = [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
        assert_eq!(millis(&mut backoff, start, 8), rising);
        let later = start + Duration::from_mins(2);
        assert_eq!(millis(&mut backoff, later, 1), [30_000], "not before two minutes have passed");
        let later = later + Duration::from_millis(1);
        assert_eq!(millis(&mut backoff, later, 2), [800, 1600]);
        // Failures in between do not delay the next reset.
        assert_eq!(millis(&mut backoff, later + Duration::from_mins(1), 1), [3200]);
        assert_eq!(millis(&mut backoff, later + Duration::from_secs(121), 1), [800]);
    }

    #[test]
    fn jitter_at_most_doubles() {
        let mut backoff = ExponentialBackoff::new(BackoffOptions::default(), Random::from_fn(|| 0.5));
        assert_eq!(millis(&mut backoff, Instant::now(), 2), [1200, 2400]);
        let mut backoff = ExponentialBackoff::default();
        let now = Instant::now();
        millis(&mut backoff, now, 6);
        for delay in millis(&mut backoff, now, 500) {
            assert!((30_000..60_000).contains(&delay), "{delay}");
        }
    }
}
