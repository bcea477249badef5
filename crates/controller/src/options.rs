//! The options of a controller.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::ObjectKey;
use client_rs_workqueue as workqueue;

use crate::{ReconcileMetrics, Recorder};

/// The timeout of one write of [`finalizer`](crate::finalizer), [`Owned`](crate::Owned) and similar helpers. By then the
/// server has given up the request itself: its `--request-timeout` is one minute by default.
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_mins(1);

client_rs_machinery::options! {
    /// The options of a [`Controller`](crate::Controller): workers, timeouts, queue, metrics.
    ///
    /// The defaults suit a small controller. Raise [`workers`](Self::workers) when runs wait for the network, and set
    /// [`reconcile_timeout`](Self::reconcile_timeout) in production.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use client_rs_controller::ControllerOptions;
    ///
    /// let options = ControllerOptions::default()
    ///     .with_workers(8)
    ///     .with_reconcile_timeout(Duration::from_mins(2))
    ///     .with_drain_timeout(Duration::from_secs(10));
    /// assert_eq!(options.workers, 8);
    /// assert_eq!(options.sync_timeout, Duration::from_mins(2)); // The default.
    /// ```
    pub struct ControllerOptions {
        /// How many keys are reconciled in parallel. Default: 1, as in controller-runtime; zero counts as 1.
        pub workers: usize => with_workers,
        /// How long one run may take. Then it is dropped, and the key is retried as after an error. Default: no limit.
        ///
        /// Without a limit, a request that never gets a response blocks its worker forever: requests have no timeout unless
        /// [`Config::timeout`](client_rs_transport::Config::timeout) sets one. (The writes of
        /// [`finalizer`](crate::finalizer()) and [`Owned`](crate::Owned) time out after one minute.) A good limit is a few
        /// times the usual duration of a run.
        pub reconcile_timeout: Option<Duration> => with_reconcile_timeout,
        /// How long a stop waits for runs in progress before it drops them. Default: 30 seconds.
        pub drain_timeout: Duration => with_drain_timeout,
        /// How long a start waits for the caches to have their first list. Default: 2 minutes, as in controller-runtime.
        pub sync_timeout: Duration => with_sync_timeout,
        /// Whether a run waits until the caches show the process's own writes; see
        /// [`Controller`](crate::Controller#own-writes). Default: true.
        pub read_own_writes: bool => with_read_own_writes,
        /// How long a run waits for a cache before the server is asked for the object; after the same time again it starts in any
        /// case. A cache normally catches up within milliseconds. Default: 10 seconds.
        pub own_writes_timeout: Duration => with_own_writes_timeout,
        /// The shortest time between the end of a run of a key and its next run. Events in between lead to one run, and so to one
        /// write of a status that counts them. The first event after a quiet time leads to a run at once. Default: none.
        ///
        /// Use it when many children change together: 100 pods that become ready within a second are then a few status writes
        /// instead of 100. It bounds the rate of writes per key, at the cost of that much delay under load.
        pub settle_window: Option<Duration> => with_settle_window,
        /// How long a key waits after an event before its run, so that the events that follow lead to the same run. Default: none, the
        /// run starts at once.
        ///
        /// Use it when several objects are written together and a run in between is wasted. An event during the wait does not prolong
        /// it, so a key that changes all the time still runs. [`settle_window`](Self::settle_window) instead delays only the runs after
        /// the first.
        pub debounce: Option<Duration> => with_debounce,
        /// The options of the queue. Default: those of the `workqueue` crate with priorities on, so that keys from a first
        /// list or a resync wait behind live events.
        pub queue: workqueue::QueueOptions<ObjectKey> => with_queue,
        /// The recorder that [`why`](crate::RunnableController::why) reads. Default: the one of this process, of 16 MiB, which all
        /// controllers share.
        pub recorder: Recorder => with_recorder,
        /// The receiver of the controller's metrics. Default: none.
        pub metrics: Option<Arc<dyn ReconcileMetrics>> => with_metrics,
    }
}

impl Default for ControllerOptions {
    fn default() -> Self {
        Self {
            workers: 1,
            reconcile_timeout: None,
            drain_timeout: Duration::from_secs(30),
            sync_timeout: Duration::from_mins(2),
            read_own_writes: true,
            own_writes_timeout: Duration::from_secs(10),
            settle_window: None,
            debounce: None,
            queue: workqueue::QueueOptions::default().with_priority(workqueue::Priority::default()),
            recorder: Recorder::default(),
            metrics: None,
        }
    }
}

impl fmt::Debug for ControllerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControllerOptions")
            .field("workers", &self.workers)
            .field("reconcile_timeout", &self.reconcile_timeout)
            .field("drain_timeout", &self.drain_timeout)
            .field("sync_timeout", &self.sync_timeout)
            .field("read_own_writes", &self.read_own_writes)
            .field("own_writes_timeout", &self.own_writes_timeout)
            .field("settle_window", &self.settle_window)
            .field("debounce", &self.debounce)
            .field("queue", &self.queue)
            .field("recorder", &self.recorder.limit())
            .field("metrics", &self.metrics.is_some())
            .finish()
    }
}
