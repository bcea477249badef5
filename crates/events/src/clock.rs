//! The time of day.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::Time;

/// What time it is, for names, timestamps and intervals of events. Default: the system's clock.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Time + Send + Sync>);

impl Clock {
    /// A clock that is a function, for tests.
    pub fn new(now: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Now.
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
