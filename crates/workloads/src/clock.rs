//! The time of day, as the runtime's clock advances it: in a test with a paused clock it stands still too.

use std::time::Duration;

use client_rs_machinery::Time;
use tokio::time::Instant;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Time,
    at: Instant,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self { began: Time::now(), at: Instant::now() }
    }

    /// The time, in whole seconds as the API writes it.
    pub(crate) fn now(&self) -> Time {
        self.exactly().truncated()
    }

    /// The time, with its parts of a second.
    pub(crate) fn exactly(&self) -> Time {
        self.began.checked_add(self.at.elapsed().into()).unwrap_or(self.began)
    }
}

/// The time from one instant to the next; none if the second is before the first.
pub(crate) fn since(first: Time, second: Time) -> Duration {
    seconds(second.seconds() - first.seconds())
}

pub(crate) fn seconds(count: i64) -> Duration {
    Duration::from_secs(u64::try_from(count).unwrap_or(0))
}
