//! Metrics of elections.

use std::fmt::Debug;

/// A receiver of the metrics of an election. client-go's names in a registry: `leader_election_master_status{name}`, a gauge
/// of 0 or 1, and `leader_election_slowpath_total{name}`, a counter.
///
/// The task that renews calls it, so it must not block.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// use client_rs_leaderelection::{LeaderElectionOptions, LeaderMetrics};
///
/// #[derive(Debug, Default)]
/// struct Gauge(AtomicBool);
///
/// impl LeaderMetrics for Gauge {
///     fn leader_on(&self, _name: &str) {
///         self.0.store(true, Ordering::Relaxed);
///     }
///     fn leader_off(&self, _name: &str) {
///         self.0.store(false, Ordering::Relaxed);
///     }
/// }
///
/// let gauge = Arc::new(Gauge::default());
/// let options = LeaderElectionOptions::default().with_metrics(gauge.clone() as Arc<dyn LeaderMetrics>);
/// // The elector calls it; here the example does.
/// options.metrics.leader_on("my-controller");
/// assert!(gauge.0.load(Ordering::Relaxed));
/// ```
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
