//! The clock of a queue: nanoseconds since the queue was made. It follows tokio's clock, also a paused one.

use std::time::Duration;

use tokio::time::Instant;

use crate::core::Nanos;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    epoch: Instant,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self { epoch: Instant::now() }
    }

    pub(crate) fn now(&self) -> Nanos {
        nanos(self.epoch.elapsed())
    }

    /// Returns the instant of a deadline. A deadline that is too far to express becomes a day from now; the
    /// waiter computes it again then.
    pub(crate) fn instant(&self, deadline: Nanos) -> Instant {
        let far = Instant::now() + Duration::from_hours(24);
        self.epoch.checked_add(Duration::from_nanos(deadline)).map_or(far, |instant| instant.min(far))
    }
}

/// Returns a duration in nanoseconds. One that does not fit (584 years) is `u64::MAX`, which never comes.
pub(crate) fn nanos(duration: Duration) -> Nanos {
    Nanos::try_from(duration.as_nanos()).unwrap_or(Nanos::MAX)
}
