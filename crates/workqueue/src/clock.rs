//! The queue's clock: nanoseconds since the queue was made. Follows tokio's clock, paused or not.

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

    /// The instant of a deadline; one too far to express is a day ahead, and asked again then.
    pub(crate) fn instant(&self, deadline: Nanos) -> Instant {
        let far = Instant::now() + Duration::from_hours(24);
        self.epoch.checked_add(Duration::from_nanos(deadline)).map_or(far, |instant| instant.min(far))
    }
}

/// A duration in nanoseconds; what does not fit (584 years) is `u64::MAX`, which never comes.
pub(crate) fn nanos(duration: Duration) -> Nanos {
    Nanos::try_from(duration.as_nanos()).unwrap_or(Nanos::MAX)
}
