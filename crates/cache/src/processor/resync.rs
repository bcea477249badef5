//! Resyncs: how often handlers get unchanged objects again.

use std::time::{Duration, Instant};

/// The shortest period of a handler.
const SHORTEST: Duration = Duration::from_secs(1);

/// The resync periods of an informer: that of its checks, and the default of its handlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resync {
    /// The period of the checks whether a handler is due. Zero: never, and then no handler is ever due.
    pub(crate) check: Duration,
    /// For handlers without a period.
    default: Duration,
}

/// The resync of one handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    requested: Duration,
    /// Zero: never.
    period: Duration,
    /// `None` for never.
    next: Option<Instant>,
    /// Whether the current resync is for this handler. True until the first check: without periods, updates
    /// without a change reach every handler.
    syncing: bool,
}

impl Resync {
    pub(crate) fn new(default: Duration) -> Self {
        Self { check: default, default }
    }

    /// Adds a handler. Before the informer runs, a handler with a shorter period shortens that of the informer;
    /// then the result is true, and the other handlers must be [fitted](Schedule::fit) again. Afterwards the
    /// period of the handler is raised to that of the informer.
    pub(crate) fn join(
        &mut self,
        requested: Option<Duration>,
        running: bool,
        now: Instant,
    ) -> (Schedule, bool) {
        let requested = match requested.unwrap_or(self.default) {
            Duration::ZERO => Duration::ZERO,
            period => period.max(SHORTEST),
        };
        let hurries = !requested.is_zero() && requested < self.check;
        let shortens = hurries && !running;
        if shortens {
            self.check = requested;
        }
        let mut schedule = Schedule { requested, period: Duration::ZERO, next: None, syncing: true };
        schedule.fit(self.check, now);
        (schedule, shortens)
    }
}

impl Schedule {
    /// Adapts to the period of the informer.
    pub(crate) fn fit(&mut self, check: Duration, now: Instant) {
        self.period = match (self.requested, check) {
            (Duration::ZERO, _) | (_, Duration::ZERO) => Duration::ZERO,
            (requested, check) => requested.max(check),
        };
        self.next = now.checked_add(self.period);
    }

    /// Returns whether it is due; if so, sets the next time.
    pub(crate) fn is_due(&mut self, now: Instant) -> bool {
        self.syncing = !self.period.is_zero() && self.next.is_some_and(|next| now >= next);
        if self.syncing {
            self.next = now.checked_add(self.period);
        }
        self.syncing
    }

    /// Returns whether the resync in progress is for this handler.
    pub(crate) fn syncing(&self) -> bool {
        self.syncing
    }

    /// Returns the period; zero for never.
    pub(crate) fn period(&self) -> Duration {
        self.period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn t1_11_04_shorter_periods_lower_the_check_before_start_and_are_raised_after() {
        let now = Instant::now();
        let mut resync = Resync::new(12 * SECOND);
        let (mut slow, lowered) = resync.join(None, false, now);
        assert_eq!((slow.period(), resync.check, lowered), (12 * SECOND, 12 * SECOND, false));
        let (fast, lowered) = resync.join(Some(2 * SECOND), false, now);
        assert_eq!((fast.period(), resync.check, lowered), (2 * SECOND, 2 * SECOND, true));
        slow.fit(resync.check, now);
        assert_eq!(slow.period(), 12 * SECOND, "a slower handler stays slow");
        let (hasty, lowered) = resync.join(Some(SECOND), true, now);
        assert_eq!((hasty.period(), resync.check, lowered), (2 * SECOND, 2 * SECOND, false));
        assert_eq!(resync.join(Some(Duration::ZERO), false, now).0.period(), Duration::ZERO);
        // A period below a second is a second.
        assert_eq!(resync.join(Some(SECOND / 10), false, now).0.period(), SECOND);
        assert_eq!(resync.check, SECOND);
    }

    #[test]
    fn an_informer_without_resync_has_none_for_its_handlers() {
        let now = Instant::now();
        let mut resync = Resync::new(Duration::ZERO);
        for running in [false, true] {
            let (mut schedule, lowered) = resync.join(Some(5 * SECOND), running, now);
            assert_eq!((schedule.period(), lowered), (Duration::ZERO, false));
            assert!(!schedule.is_due(now + 100 * SECOND));
        }
    }

    #[test]
    fn a_period_that_never_ends_is_never_due() {
        let now = Instant::now();
        let mut resync = Resync::new(Duration::MAX);
        let (mut schedule, _) = resync.join(None, false, now);
        assert!(!schedule.is_due(now + 100 * SECOND));
        schedule.fit(Duration::MAX, now);
        assert!(!schedule.is_due(now + 100 * SECOND));
    }

    #[test]
    fn t1_11_03_each_handler_is_due_at_its_own_time() {
        let now = Instant::now();
        let mut resync = Resync::new(SECOND);
        let (mut one, _) = resync.join(Some(SECOND), false, now);
        let (mut two, _) = resync.join(Some(2 * SECOND), false, now);
        assert!(one.syncing() && two.syncing(), "until the first check");
        let due = |schedule: &mut Schedule, seconds| schedule.is_due(now + seconds * SECOND);
        assert!(due(&mut one, 1) && !due(&mut two, 1));
        assert!(one.syncing() && !two.syncing());
        assert!(due(&mut one, 2) && due(&mut two, 2));
        assert!(!due(&mut one, 2), "once per period");
    }
}
