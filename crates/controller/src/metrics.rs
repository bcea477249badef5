//! Metrics of a controller.

use std::time::Duration;

/// The outcome of a run, for [`ReconcileMetrics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReconcileOutcome {
    /// Returned [`Action::done`](crate::Action::done).
    Success,
    /// Asked for another run after the rate limiter's delay.
    Requeue,
    /// Asked for another run after a given time.
    RequeueAfter,
    /// Failed, and is retried.
    Error,
    /// Failed, and is not retried before something changes.
    TerminalError,
    /// Panicked, and is retried.
    Panic,
    /// Exceeded its time limit, and is retried.
    Timeout,
    /// Was interrupted by a shutdown, or because leadership or the shard was lost. Neither a success nor an error.
    Cancelled,
}

impl ReconcileOutcome {
    /// The value of the label `result` in controller-runtime's metrics. `cancelled` is an addition of this crate.
    ///
    /// ```
    /// use client_rs_controller::ReconcileOutcome;
    ///
    /// assert_eq!(ReconcileOutcome::RequeueAfter.label(), "requeue_after");
    /// assert_eq!(ReconcileOutcome::Panic.label(), "error");
    /// ```
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

/// A receiver of a controller's metrics, for a registry that this crate does not know.
///
/// [`Prometheus`](crate::Prometheus) needs no code; the feature `metrics` serves the crate of that name. Implement this
/// trait for anything else, and set it as [`ControllerOptions::metrics`](crate::ControllerOptions::metrics).
///
/// The workers call it, so it must not block. If it panics, the panic is logged and the run is not affected.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
///
/// use client_rs_controller::{ControllerOptions, ReconcileMetrics, ReconcileOutcome};
///
/// #[derive(Default)]
/// struct Failures(AtomicU64);
///
/// impl ReconcileMetrics for Failures {
///     fn ended(&self, outcome: ReconcileOutcome, _took: Duration) {
///         if outcome.label() == "error" {
///             self.0.fetch_add(1, Ordering::Relaxed);
///         }
///     }
/// }
///
/// let failures = Arc::new(Failures::default());
/// let options = ControllerOptions::default().with_metrics(failures.clone() as Arc<dyn ReconcileMetrics>);
/// // The controller calls it; here the example does.
/// options.metrics.unwrap().ended(ReconcileOutcome::Timeout, Duration::from_secs(60));
/// assert_eq!(failures.0.load(Ordering::Relaxed), 1);
/// ```
pub trait ReconcileMetrics: Send + Sync {
    /// The controller starts to work, with this many workers.
    fn workers(&self, count: usize) {
        let _ = count;
    }

    /// A run begins.
    fn began(&self) {}

    /// A key has waited for this time until the caches showed the process's own writes. `caught_up` is false if the wait ended
    /// because of its time limit.
    fn waited_for_caches(&self, waited: Duration, caught_up: bool) {
        let _ = (waited, caught_up);
    }

    /// A write of a run was not sent, because it would have changed nothing.
    fn suppressed_write(&self) {}

    /// A detector has found something, which is logged and counted once; see [`Finding::kind`](crate::Finding::kind).
    fn found(&self, kind: &'static str) {
        let _ = kind;
    }

    /// A run has ended after this time.
    fn ended(&self, outcome: ReconcileOutcome, took: Duration) {
        let _ = (outcome, took);
    }
}

#[cfg(feature = "metrics")]
mod facade {
    use metrics::{Counter, Gauge, Histogram, SharedString, Unit};

    use super::{Duration, ReconcileMetrics, ReconcileOutcome};

    /// [`ReconcileMetrics`] for the `metrics` crate, and so for all of its exporters, under controller-runtime's eight names
    /// and three of our own, with the label `controller`.
    ///
    /// Create it after the recorder is installed, because it registers its metrics then.
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
        stale_wait: Histogram,
        stale_wait_timeouts: Counter,
        suppressed: Counter,
    }

    impl FacadeReconcileMetrics {
        /// The metrics of the controller with this name.
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
                stale_wait: metrics::histogram!("controller_stale_wait_seconds", "controller" => name.clone()),
                stale_wait_timeouts: counter("controller_stale_wait_timeouts_total"),
                suppressed: counter("controller_suppressed_writes_total"),
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

        fn waited_for_caches(&self, waited: Duration, caught_up: bool) {
            self.stale_wait.record(waited);
            if !caught_up {
                self.stale_wait_timeouts.increment(1);
            }
        }

        fn suppressed_write(&self) {
            self.suppressed.increment(1);
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
        count("controller_runtime_terminal_reconcile_errors_total", "Failures that are not retried");
        count("controller_runtime_reconcile_panics_total", "Reconciliations that panicked");
        count("controller_runtime_reconcile_timeouts_total", "Reconciliations that took too long");
        metrics::describe_histogram!(
            "controller_runtime_reconcile_time_seconds",
            Unit::Seconds,
            "Time of a reconciliation"
        );
        metrics::describe_histogram!(
            "controller_stale_wait_seconds",
            Unit::Seconds,
            "Time that a key waits until the caches show the process's own writes"
        );
        count("controller_stale_wait_timeouts_total", "Reconciliations that began with a stale cache");
        count("controller_suppressed_writes_total", "Writes that were not sent because they change nothing");
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
