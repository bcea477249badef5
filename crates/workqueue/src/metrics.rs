//! What a queue tells of itself.

use std::time::Duration;

/// Bounds of the two histograms, in seconds: ten, from 10 ns up by tens. client-go's, for exporters to be
/// configured with.
pub const DURATION_BUCKETS: [f64; 10] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0];

/// Receives a queue's seven metrics: client-go's names and meanings.
///
/// # Contract
/// - Called by producers and workers right after what is told, under no lock of the queue: calls of
///   different threads may overlap or come in another order than the events. Sums are exact; that is why the
///   depth comes as changes.
/// - An implementation must be quick and must not panic; a panic goes to the producer or worker.
/// - Nothing is told of adds that a shut-down queue refuses, and unfinished work is no longer reported once
///   it shuts down. Handouts and ends of what it still drains are.
pub trait QueueMetrics: Send + Sync {
    /// `workqueue_depth`: keys wanted and not handed out, those being processed that were added again
    /// included. The priority is given by queues that have priorities.
    fn depth(&self, priority: Option<i32>, change: i64);

    /// `workqueue_adds_total`: a key became wanted. Adds of a key that already is are not counted.
    fn added(&self);

    /// `workqueue_queue_duration_seconds`: from the add that made a key wanted to its handout.
    fn queued_for(&self, duration: Duration);

    /// `workqueue_work_duration_seconds`: from handout to done.
    fn worked_for(&self, duration: Duration);

    /// `workqueue_unfinished_work_seconds`: the ages of all runs in progress, added up.
    fn unfinished(&self, total: Duration);

    /// `workqueue_longest_running_processor_seconds`: the age of the oldest run in progress.
    fn longest_running(&self, duration: Duration);

    /// `workqueue_retries_total`: a delayed or rate-limited add.
    fn retried(&self);
}
