//! A counter of dropped events, with a rate-limited log.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The minimum time between two log lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Counts dropped events. The first drop is logged at once, later ones together, at most once in ten seconds.
#[derive(Default)]
pub(crate) struct Drops(Mutex<Count>);

#[derive(Default)]
struct Count {
    total: u64,
    unlogged: u64,
    logged_at: Option<Instant>,
}

impl Drops {
    /// Counts a drop; `why` is for the log.
    pub(crate) fn add(&self, why: &str) {
        let due = self.with(|count| count.add(Instant::now()).map(|dropped| (dropped, count.total)));
        if let Some((dropped, total)) = due {
            tracing::error!(dropped, total, why, "dropping events");
        }
    }

    /// Logs the drops since the last log line.
    pub(crate) fn flush(&self) {
        let (dropped, total) = self.with(|count| (std::mem::take(&mut count.unlogged), count.total));
        if dropped > 0 {
            tracing::error!(dropped, total, "dropped events");
        }
    }

    /// The number of drops so far.
    pub(crate) fn total(&self) -> u64 {
        self.with(|count| count.total)
    }

    fn with<R>(&self, change: impl FnOnce(&mut Count) -> R) -> R {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Count {
    /// The number of drops to log now; `None` to log them later.
    fn add(&mut self, now: Instant) -> Option<u64> {
        self.total += 1;
        self.unlogged += 1;
        if self.logged_at.is_some_and(|at| now.duration_since(at) < PAUSE) {
            return None;
        }
        self.logged_at = Some(now);
        Some(std::mem::take(&mut self.unlogged))
    }
}

impl fmt::Debug for Drops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_first_drop_is_logged_and_the_others_together() {
        let (mut count, now) = (Count::default(), Instant::now());
        let logged = [0, 1, 9, 10, 11, 30].map(|second| count.add(now + Duration::from_secs(second)));
        assert_eq!(logged, [Some(1), None, None, Some(3), None, Some(2)]);
        assert_eq!((count.total, count.unlogged), (6, 0));
    }
}
