//! The metrics of a queue.

use std::time::Duration;

/// The bounds of the two histograms, in seconds: ten, from 10 ns in steps of ten. They are client-go's.
/// Configure exporters with them.
pub const DURATION_BUCKETS: [f64; 10] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// Receives a queue's seven metrics, with client-go's names and meanings.
///
/// Implement it to connect a metrics library that has no support here; for the `metrics` crate, the feature
/// `metrics` has `FacadeMetrics`.
///
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicI64, Ordering};
/// use std::time::Duration;
/// use client_rs_workqueue::{QueueMetrics, QueueOptions, WorkQueue};
///
/// #[derive(Default)]
/// struct Depth(AtomicI64);
///
/// impl QueueMetrics for Depth {
///     fn depth(&self, _priority: Option<i32>, change: i64) {
///         self.0.fetch_add(change, Ordering::Relaxed);
///     }
///     fn added(&self) {}
///     fn queued_for(&self, _: Duration) {}
///     fn worked_for(&self, _: Duration) {}
///     fn unfinished(&self, _: Duration) {}
///     fn longest_running(&self, _: Duration) {}
///     fn retried(&self) {}
/// }
///
/// let metrics = Arc::new(Depth::default());
/// let queue = WorkQueue::with_options(QueueOptions::default().with_metrics(metrics.clone()));
/// queue.add("a");
/// queue.add("b");
/// let _item = queue.try_get();
/// assert_eq!(metrics.0.load(Ordering::Relaxed), 1);
/// ```
///
/// # Contract
/// - Producers and workers call it right after the event, outside the locks of the queue. Calls of different
///   threads may overlap, or come in another order than the events. Sums are exact; that is why the depth comes
///   as changes.
/// - An implementation must be quick and must not panic; a panic reaches the producer or worker.
/// - A queue that is shut down reports neither the adds that it refuses nor unfinished work. It still reports
///   handouts and the ends of runs while it drains.
pub trait QueueMetrics: Send + Sync {
    /// `workqueue_depth`: the number of keys that are wanted and not handed out, including those in progress
    /// that were added again. Queues with priorities pass the priority.
    fn depth(&self, priority: Option<i32>, change: i64);

    /// `workqueue_adds_total`: a key became wanted. Adds of a key that is already wanted do not count.
    fn added(&self);

    /// `workqueue_queue_duration_seconds`: the time from the add that made a key wanted to its handout.
    fn queued_for(&self, duration: Duration);

    /// `workqueue_work_duration_seconds`: the time from the handout to the release.
    fn worked_for(&self, duration: Duration);

    /// `workqueue_unfinished_work_seconds`: the sum of the ages of all runs in progress.
    fn unfinished(&self, total: Duration);

    /// `workqueue_longest_running_processor_seconds`: the age of the oldest run in progress.
    fn longest_running(&self, duration: Duration);

    /// `workqueue_retries_total`: a delayed or rate-limited add.
    fn retried(&self);
}
