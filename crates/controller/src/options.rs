//! How a controller runs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::ObjectKey;
use client_rs_workqueue as workqueue;

use crate::ReconcileMetrics;

/// How long one write of [`finalizer`](crate::finalizer), [`Owned`](crate::Owned) and their kin may take: a server that has
/// not answered by then has given the request up itself (its `--request-timeout` is one minute unless set).
pub(crate) const WRITE_TIMEOUT: Duration = Duration::from_mins(1);

/// How a [`Controller`](crate::Controller) runs.
pub struct ControllerOptions {
    /// How many keys are reconciled at once. Default: 1, as in controller-runtime; zero counts as 1.
    pub workers: usize,
    /// How long one run may take; it is then dropped and the key tried again as after an error. Default: no limit.
    ///
    /// Without a limit, a request that is never answered keeps its worker for ever: requests have no time limit of their own
    /// unless [`Config::timeout`](client_rs_transport::Config::timeout) sets one. (Those of [`finalizer`](crate::finalizer())
    /// and [`Owned`](crate::Owned) end after one minute.) A few times what a run usually takes is a good limit.
    pub reconcile_timeout: Option<Duration>,
    /// How long a stop waits for runs in progress before it drops them. Default: 30 seconds.
    pub drain_timeout: Duration,
    /// How long a start waits for the caches to have their first list. Default: 2 minutes, as in controller-runtime.
    pub sync_timeout: Duration,
    /// The queue. Default: that of the `workqueue` crate with priorities on: what comes from a first list or a resync waits
    /// behind live events.
    pub queue: workqueue::QueueOptions<ObjectKey>,
    /// Where the controller's metrics go. Default: nowhere.
    pub metrics: Option<Arc<dyn ReconcileMetrics>>,
}

impl Default for ControllerOptions {
    fn default() -> Self {
        Self {
            workers: 1,
            reconcile_timeout: None,
            drain_timeout: Duration::from_secs(30),
            sync_timeout: Duration::from_mins(2),
            queue: workqueue::QueueOptions {
                priority: Some(workqueue::Priority::default()),
                ..workqueue::QueueOptions::default()
            },
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
            .field("queue", &self.queue)
            .field("metrics", &self.metrics.is_some())
            .finish()
    }
}
