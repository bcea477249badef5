//! What is counted of a controller.

use std::time::Duration;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReconcileOutcome {
    /// Nothing more to do.
    Success,
    /// Asked for another run after the limiter's wait.
    Requeue,
    /// Asked for another run after some time.
    RequeueAfter,
    /// Failed, and will be tried again.
    Error,
    /// Failed, and will not be tried again by itself.
    TerminalError,
    /// Panicked, and will be tried again.
    Panic,
    /// Took too long, and will be tried again.
    Timeout,
    /// Was interrupted by a shutdown, or because the leadership or the shard was lost. Neither a success nor an error.
    Cancelled,
}

impl ReconcileOutcome {
    /// The value of the label `result` in controller-runtime's metrics, and `cancelled`, which controller-runtime does not
    /// have.
    pub fn label(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Requeue => "requeue",
            Self::RequeueAfter => "requeue_after",
            Self::Error | Self::TerminalError | Self::Panic | Self::Timeout => "error",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Gets each run, to count it. Called by the workers: it must not block. A panic of it is logged, and changes nothing else.
pub trait ReconcileMetrics: Send + Sync {
    /// How many workers there are.
    fn workers(&self, count: usize) {
        let _ = count;
    }

    /// A run begins.
    fn began(&self) {}

    /// A run has ended.
    fn ended(&self, outcome: ReconcileOutcome, took: Duration) {
        let _ = (outcome, took);
    }
}

#[cfg(feature = "metrics")]
mod facade {
    use metrics::{Counter, Gauge, Histogram, SharedString, Unit};

    use super::{Duration, ReconcileMetrics, ReconcileOutcome};

    /// [`ReconcileMetrics`] for the `metrics` crate, and so for any exporter of it, under controller-runtime's eight names with the
    /// label `controller`.
    ///
    /// Make it after the recorder is installed: metrics are looked up then.
    #[derive(Debug)]
    pub struct FacadeReconcileMetrics {
        name: SharedString,
        errors: Counter,
        terminal: Counter,
        panics: Counter,
        timeouts: Counter,
        time: Histogram,
        workers: Gauge,
        active: Gauge,
    }

    impl FacadeReconcileMetrics {
        /// The metrics of the controller of this name.
        pub fn new(name: impl Into<SharedString>) -> Self {
            describe();
            let name: SharedString = name.into();
            let counter = |metric: &'static str| metrics::counter!(metric, "controller" => name.clone());
            Self {
                errors: counter("controller_runtime_reconcile_errors_total"),
                terminal: counter("controller_runtime_terminal_reconcile_errors_total"),
                panics: counter("controller_runtime_reconcile_panics_total"),
                timeouts: counter("controller_runtime_reconcile_timeouts_total"),
                time: metrics::histogram!("controller_runtime_reconcile_time_seconds", "controller" => name.clone()),
                workers: metrics::gauge!("controller_runtime_max_concurrent_reconciles", "controller" => name.clone()),
                active: metrics::gauge!("controller_runtime_active_workers", "controller" => name.clone()),
                name,
            }
        }
    }

    impl ReconcileMetrics for FacadeReconcileMetrics {
        fn workers(&self, count: usize) {
            #[allow(clippy::cast_precision_loss, reason = "nobody has so many workers")]
            self.workers.set(count as f64);
        }

        fn began(&self) {
            self.active.increment(1.0);
        }

        fn ended(&self, outcome: ReconcileOutcome, took: Duration) {
            self.active.decrement(1.0);
            self.time.record(took);
            let labels = [("controller", self.name.clone()), ("result", SharedString::from(outcome.label()))];
            metrics::counter!("controller_runtime_reconcile_total", &labels).increment(1);
            if outcome.label() == "error" {
                self.errors.increment(1);
            }
            match outcome {
                ReconcileOutcome::TerminalError => self.terminal.increment(1),
                ReconcileOutcome::Panic => self.panics.increment(1),
                ReconcileOutcome::Timeout => self.timeouts.increment(1),
                _ => {}
            }
        }
    }

    fn describe() {
        let count =
            |name: &'static str, what: &'static str| metrics::describe_counter!(name, Unit::Count, what);
        count("controller_runtime_reconcile_total", "Reconciliations, by result");
        count("controller_runtime_reconcile_errors_total", "Reconciliations that failed");
        count("controller_runtime_terminal_reconcile_errors_total", "Failures that are not tried again");
        count("controller_runtime_reconcile_panics_total", "Reconciliations that panicked");
        count("controller_runtime_reconcile_timeouts_total", "Reconciliations that took too long");
        metrics::describe_histogram!(
            "controller_runtime_reconcile_time_seconds",
            Unit::Seconds,
            "Time of a reconciliation"
        );
        metrics::describe_gauge!("controller_runtime_max_concurrent_reconciles", Unit::Count, "Workers");
        metrics::describe_gauge!(
            "controller_runtime_active_workers",
            Unit::Count,
            "Workers in a reconciliation"
        );
    }
}

#[cfg(feature = "metrics")]
pub use facade::FacadeReconcileMetrics;
