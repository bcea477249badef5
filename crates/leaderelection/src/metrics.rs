//! Metrics of elections.

use std::fmt::Debug;

/// A receiver of the metrics of an election. client-go's names in a registry: `leader_election_master_status{name}`, a gauge
/// of 0 or 1, and `leader_election_slowpath_total{name}`, a counter.
///
/// The task that renews calls it, so it must not block.
pub trait LeaderMetrics: Debug + Send + Sync + 'static {
    /// This process leads the election of this name.
    fn leader_on(&self, name: &str) {
        let _ = name;
    }

    /// This process does not lead it.
    fn leader_off(&self, name: &str) {
        let _ = name;
    }

    /// A renewal had to read the lock first.
    fn slow_path(&self, name: &str) {
        let _ = name;
    }
}

/// Metrics that are ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLeaderMetrics;

impl LeaderMetrics for NoLeaderMetrics {}
