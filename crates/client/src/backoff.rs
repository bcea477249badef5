//! Waits that grow, with jitter.

use std::time::Duration;

use tokio::time::Instant;

client_rs_machinery::options! {
    /// A sequence of waits: each is the previous one times `factor`, up to `cap`, plus jitter.
    ///
    /// It is plain data: [`step`](Self::step) returns the next wait and advances the sequence, and a clone continues from the same
    /// point. Jitter only adds: a wait is in `[d, d + jitter × d)`.
    ///
    /// Use it with [`retry`](crate::retry). For a loop that runs for the whole life of a program, use [`ResettingBackoff`].
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::Backoff;
    ///
    /// let mut backoff = Backoff::default()
    ///     .with_duration(Duration::from_millis(100))
    ///     .with_factor(2.0)
    ///     .with_jitter(0.0)
    ///     .with_steps(10)
    ///     .with_cap(Duration::from_millis(300));
    /// let waits: Vec<u128> = (0..4).map(|_| backoff.step().as_millis()).collect();
    /// assert_eq!(waits, [100, 200, 300, 300]);
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct Backoff {
        /// The next wait, before jitter.
        pub duration: Duration => with_duration,
        /// The factor by which the wait grows after each step. 0 keeps it constant.
        pub factor: f64 => with_factor,
        /// The fraction of the wait that is added at random, at most. 0 adds nothing.
        pub jitter: f64 => with_jitter,
        /// The number of steps that may still increase the wait. After them, it stays constant.
        pub steps: u32 => with_steps,
        /// The longest wait before jitter; reaching it ends the growth. `None` means no limit.
        pub cap: Option<Duration> => with_cap,
    }
}

/// [`Backoff::DEFAULT_RETRY`].
impl Default for Backoff {
    fn default() -> Self {
        Self::DEFAULT_RETRY
    }
}

impl Backoff {
    /// For conflicting writes: five attempts, 10 ms apart.
    pub const DEFAULT_RETRY: Self =
        Self { duration: Duration::from_millis(10), factor: 1.0, jitter: 0.1, steps: 5, cap: None };

    /// For conflicts with many other clients: four attempts, first 10 ms apart, then five times as long each.
    pub const DEFAULT_BACKOFF: Self =
        Self { duration: Duration::from_millis(10), factor: 5.0, jitter: 0.1, steps: 4, cap: None };

    /// The next wait.
    pub fn step(&mut self) -> Duration {
        self.step_with(fastrand::f64)
    }

    /// The next wait, with a given random number in `[0, 1)`.
    pub fn step_with(&mut self, random: impl FnOnce() -> f64) -> Duration {
        let duration = self.duration;
        if self.steps > 0 {
            self.steps -= 1;
            if self.factor != 0.0 {
                self.duration = scaled(duration, self.factor);
                if let Some(cap) = self.cap.filter(|cap| self.duration > *cap) {
                    self.duration = cap;
                    self.steps = 0;
                }
            }
        }
        if self.jitter > 0.0 {
            duration.saturating_add(scaled(duration, self.jitter * random()))
        } else {
            duration
        }
    }
}

/// A wait with a random part added: in `[d, d + factor × d)`. A factor that is not positive counts as 1.
///
/// ```
/// use std::time::Duration;
/// use client_rs_client::backoff::jittered;
///
/// let wait = jittered(Duration::from_secs(10), 0.5);
/// assert!(wait >= Duration::from_secs(10) && wait < Duration::from_secs(15));
/// ```
pub fn jittered(duration: Duration, factor: f64) -> Duration {
    let factor = if factor > 0.0 { factor } else { 1.0 };
    duration.saturating_add(scaled(duration, factor * fastrand::f64()))
}

/// A [`Backoff`] that starts again after a quiet time: the wait of a long-running loop against a server.
///
/// ```
/// use std::time::Duration;
/// use client_rs_client::{Backoff, ResettingBackoff};
/// use tokio::time::Instant;
///
/// let start = Instant::now();
/// let backoff = Backoff::default().with_duration(Duration::from_secs(1)).with_factor(2.0).with_jitter(0.0);
/// let mut backoff = ResettingBackoff::new(backoff, Duration::from_secs(120));
/// assert_eq!(backoff.step(start), Duration::from_secs(1));
/// assert_eq!(backoff.step(start), Duration::from_secs(2));
/// assert_eq!(backoff.step(start + Duration::from_secs(600)), Duration::from_secs(1), "a quiet time has passed");
/// ```
#[derive(Clone, Debug)]
pub struct ResettingBackoff {
    initial: Backoff,
    current: Backoff,
    reset_after: Duration,
    last: Option<Instant>,
}

impl ResettingBackoff {
    /// A backoff that starts again when `reset_after` has passed since the last step.
    pub fn new(backoff: Backoff, reset_after: Duration) -> Self {
        Self { current: backoff.clone(), initial: backoff, reset_after, last: None }
    }

    /// The next wait at the time `now`.
    pub fn step(&mut self, now: Instant) -> Duration {
        self.step_with(now, fastrand::f64)
    }

    /// The next wait, with a given random number in `[0, 1)`.
    pub fn step_with(&mut self, now: Instant, random: impl FnOnce() -> f64) -> Duration {
        if self.last.is_some_and(|last| now.saturating_duration_since(last) > self.reset_after) {
            self.reset();
        }
        self.last = Some(now);
        self.current.step_with(random)
    }

    /// Starts again from the first wait.
    pub fn reset(&mut self) {
        self.current = self.initial.clone();
    }
}

/// A duration times a factor. A result that is too long, or not a number, is the longest duration.
pub(crate) fn scaled(duration: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(duration.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(durations: &[Duration]) -> Vec<u128> {
        durations.iter().map(Duration::as_millis).collect()
    }

    /// client-go's backoff for lists and watches.
    fn for_watches() -> ResettingBackoff {
        let backoff = Backoff {
            duration: Duration::from_millis(800),
            factor: 2.0,
            jitter: 1.0,
            steps: 10,
            cap: Some(Duration::from_secs(30)),
        };
        ResettingBackoff::new(backoff, Duration::from_mins(2))
    }

    #[test]
    fn t8_12_01_backoff_sequence_before_jitter() {
        let mut backoff = for_watches();
        let now = Instant::now();
        let waits: Vec<_> = (0..9).map(|_| backoff.step_with(now, || 0.0)).collect();
        assert_eq!(millis(&waits), [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
    }

    #[test]
    fn t8_12_02_after_two_minutes_the_next_delay_is_the_initial_one() {
        let mut backoff = for_watches();
        let start = Instant::now();
        for _ in 0..8 {
            backoff.step_with(start, || 0.0);
        }
        let two_minutes = start + Duration::from_mins(2);
        assert_eq!(backoff.clone().step_with(two_minutes, || 0.0), Duration::from_secs(30));
        let later = two_minutes + Duration::from_millis(1);
        assert_eq!(backoff.step_with(later, || 0.0), Duration::from_millis(800));
    }

    #[test]
    fn jitter_only_adds_and_stays_below_its_bound() {
        let base = Backoff { jitter: 0.5, ..Backoff::DEFAULT_RETRY };
        assert_eq!(base.clone().step_with(|| 0.0), Duration::from_millis(10));
        assert_eq!(base.clone().step_with(|| 0.999), Duration::from_micros(14_995));
        for _ in 0..1000 {
            let wait = base.clone().step();
            assert!(wait >= base.duration && wait < base.duration.mul_f64(1.5), "{wait:?}");
            let wait = jittered(base.duration, 0.0);
            assert!(wait >= base.duration && wait < base.duration * 2, "{wait:?}");
        }
    }

    #[test]
    fn after_its_steps_a_wait_is_constant_and_still_jittered() {
        let mut backoff = Backoff { jitter: 0.0, ..Backoff::DEFAULT_BACKOFF };
        let waits: Vec<_> = (0..6).map(|_| backoff.step()).collect();
        assert_eq!(millis(&waits), [10, 50, 250, 1250, 6250, 6250]);
        backoff.jitter = 1.0;
        assert_eq!(backoff.step_with(|| 0.5), Duration::from_millis(9375));
    }

    #[test]
    fn no_growth_overflows() {
        let mut backoff =
            Backoff { duration: Duration::MAX, factor: 1e300, jitter: 1.0, steps: 3, cap: None };
        for _ in 0..4 {
            assert_eq!(backoff.step(), Duration::MAX);
        }
    }
}
