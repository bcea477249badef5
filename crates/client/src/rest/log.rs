//! Log messages with a limited rate.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Lets through one message per interval.
#[derive(Debug)]
pub(super) struct LogEvery {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl LogEvery {
    pub(super) const fn new(interval: Duration) -> Self {
        Self { interval, last: Mutex::new(None) }
    }

    /// Returns `true` if a message may be logged now.
    pub(super) fn allows(&self, now: Instant) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let allowed = last.is_none_or(|last| now.saturating_duration_since(last) >= self.interval);
        if allowed {
            *last = Some(now);
        }
        allowed
    }
}

/// Throttling for longer than a second is logged at level INFO, once per interval.
static FOR_ALL: LogEvery = LogEvery::new(Duration::from_secs(10));
/// It is logged at level DEBUG more often.
static FOR_SOME: LogEvery = LogEvery::new(Duration::from_secs(1));

/// Logs that the client's own rate limit has delayed a request.
pub(super) fn throttled(waited: Duration, call: &crate::Call) {
    const LONG: Duration = Duration::from_millis(50);
    const EXTRA_LONG: Duration = Duration::from_secs(1);
    let now = Instant::now();
    if waited > EXTRA_LONG && FOR_ALL.allows(now) {
        tracing::info!(?waited, %call, "delayed by the client's own rate limit, not by the server");
    } else if waited > EXTRA_LONG && FOR_SOME.allows(now) {
        tracing::debug!(?waited, %call, "delayed by the client's own rate limit, not by the server");
    } else if waited > LONG {
        tracing::trace!(?waited, %call, "delayed by the client's own rate limit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t3_4_12_one_message_in_an_interval() {
        for seconds in [1, 10] {
            let (log, start) = (LogEvery::new(Duration::from_secs(seconds)), Instant::now());
            let allowed: Vec<_> =
                (0..30).filter(|second| log.allows(start + Duration::from_secs(*second))).collect();
            assert_eq!(allowed.len(), usize::try_from(30 / seconds).unwrap());
        }
    }
}
