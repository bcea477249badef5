//! The server's clock.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use client_rs_machinery::Time;

/// The system time plus an offset that a test can advance.
///
/// Timestamps of objects (`creationTimestamp`, `deletionTimestamp`) follow it. Timers of connections
/// (`timeoutSeconds`, bookmarks) follow the clock of tokio.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    offset_nanos: AtomicI64,
}

impl Clone for Clock {
    fn clone(&self) -> Self {
        Self { offset_nanos: AtomicI64::new(self.offset_nanos.load(Ordering::Relaxed)) }
    }
}

impl Clock {
    /// The current time in whole seconds, as in objects.
    pub(crate) fn now(&self) -> Time {
        let offset = self.offset_nanos.load(Ordering::Relaxed);
        let duration = client_rs_machinery::Duration::from_nanos(offset);
        let now = Time::now();
        now.checked_add(duration).unwrap_or(now).truncated()
    }

    /// Advances the clock.
    pub(crate) fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_nanos()).unwrap_or(i64::MAX);
        let saturating = |offset: i64| Some(offset.saturating_add(by));
        // It can't fail: the closure always returns a value.
        let _ = self.offset_nanos.fetch_update(Ordering::Relaxed, Ordering::Relaxed, saturating);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_advances_by_the_given_duration() {
        let clock = Clock::default();
        let before = clock.now();
        clock.advance(Duration::from_hours(1));
        let after = clock.now();
        assert!(after.seconds() - before.seconds() >= 3600);
        assert_eq!(after.nanos(), 0);
        clock.advance(Duration::MAX);
        clock.now();
    }
}
