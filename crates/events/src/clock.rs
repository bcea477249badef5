//! The time of day.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::Time;

/// The clock for names, timestamps and intervals of events. Default: the system's clock.
///
/// ```
/// use client_rs_events::{Clock, EventBroadcasterOptions};
/// use client_rs_machinery::Time;
///
/// // In a test every event has the same time.
/// let fixed = Time::new(1_700_000_000, 0).unwrap();
/// let options = EventBroadcasterOptions::default().with_clock(Clock::new(move || fixed));
/// assert_eq!(options.clock.now(), fixed);
/// ```
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Time + Send + Sync>);

impl Clock {
    /// A clock that calls a function, for tests.
    pub fn new(now: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The current time.
    pub fn now(&self) -> Time {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(Time::now)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
