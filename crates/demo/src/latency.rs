//! How long keys waited in queues.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use client_rs_workqueue::QueueMetrics;

/// The waits of all keys that were handed out; a demo has few enough to keep them.
#[derive(Debug, Default)]
pub(super) struct Latencies(Mutex<Vec<Duration>>);

impl Latencies {
    /// The wait that this share of the keys did not exceed, from 0 to 1.
    pub(super) fn quantile(&self, share: f64) -> Option<Duration> {
        let mut waits = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        waits.sort_unstable();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "a place in a list of thousands"
        )]
        let at = (waits.len().saturating_sub(1) as f64 * share).round() as usize;
        waits.get(at).copied()
    }
}

impl QueueMetrics for Latencies {
    fn depth(&self, _: Option<i32>, _: i64) {}

    fn added(&self) {}

    fn queued_for(&self, duration: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(duration);
    }

    fn worked_for(&self, _: Duration) {}

    fn unfinished(&self, _: Duration) {}

    fn longest_running(&self, _: Duration) {}

    fn retried(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_waits_that_happened() {
        let latencies = Latencies::default();
        assert_eq!(latencies.quantile(0.5), None);
        for millis in [5, 1, 3, 2, 4] {
            latencies.queued_for(Duration::from_millis(millis));
        }
        assert_eq!(latencies.quantile(0.5), Some(Duration::from_millis(3)));
        assert_eq!(latencies.quantile(1.0), Some(Duration::from_millis(5)));
    }
}
