//! Reports the metrics of a queue through the `metrics` crate.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, SharedString, Unit};

use crate::metrics::QueueMetrics;

/// Implements [`QueueMetrics`] with the `metrics` crate, and so for all of its exporters.
///
/// Names are client-go's (`workqueue_depth`, `workqueue_adds_total`, …), with the label `name`. The depth of a
/// queue with priorities also has the label `priority`: one time series for each priority that occurs.
/// Configure the exporter with [`DURATION_BUCKETS`](crate::DURATION_BUCKETS) for the two histograms.
///
/// Make it after the recorder is installed, and inside a local recorder if there is one: it looks the metrics
/// up at that time.
///
///
/// ```
/// use std::sync::Arc;
/// use client_rs_workqueue::{FacadeMetrics, QueueOptions, WorkQueue};
///
/// let metrics = Arc::new(FacadeMetrics::new("pods"));
/// let queue = WorkQueue::with_options(QueueOptions::default().with_metrics(metrics));
/// queue.add("default/web");
/// assert_eq!(queue.len(), 1);
/// ```
#[derive(Debug)]
pub struct FacadeMetrics {
    name: SharedString,
    /// One gauge per priority, made at the first change; `None` is that of a queue without priorities.
    depths: Mutex<HashMap<Option<i32>, Gauge>>,
    adds: Counter,
    queue_duration: Histogram,
    work_duration: Histogram,
    unfinished: Gauge,
    longest_running: Gauge,
    retries: Counter,
}

impl FacadeMetrics {
    /// Makes the metrics of the queue with this name.
    pub fn new(name: impl Into<SharedString>) -> Self {
        describe();
        let name: SharedString = name.into();
        Self {
            depths: Mutex::default(),
            adds: metrics::counter!("workqueue_adds_total", "name" => name.clone()),
            queue_duration: metrics::histogram!("workqueue_queue_duration_seconds", "name" => name.clone()),
            work_duration: metrics::histogram!("workqueue_work_duration_seconds", "name" => name.clone()),
            unfinished: metrics::gauge!("workqueue_unfinished_work_seconds", "name" => name.clone()),
            longest_running: metrics::gauge!("workqueue_longest_running_processor_seconds", "name" => name.clone()),
            retries: metrics::counter!("workqueue_retries_total", "name" => name.clone()),
            name,
        }
    }
}

impl QueueMetrics for FacadeMetrics {
    fn depth(&self, priority: Option<i32>, change: i64) {
        let mut depths = self.depths.lock().unwrap_or_else(PoisonError::into_inner);
        let depth = depths.entry(priority).or_insert_with(|| match priority {
            None => metrics::gauge!("workqueue_depth", "name" => self.name.clone()),
            Some(priority) => {
                let priority = priority.to_string();
                metrics::gauge!("workqueue_depth", "name" => self.name.clone(), "priority" => priority)
            }
        });
        #[allow(clippy::cast_precision_loss, reason = "changes are of one key at a time")]
        depth.increment(change as f64);
    }

    fn added(&self) {
        self.adds.increment(1);
    }

    fn queued_for(&self, duration: Duration) {
        self.queue_duration.record(duration);
    }

    fn worked_for(&self, duration: Duration) {
        self.work_duration.record(duration);
    }

    fn unfinished(&self, total: Duration) {
        self.unfinished.set(total);
    }

    fn longest_running(&self, duration: Duration) {
        self.longest_running.set(duration);
    }

    fn retried(&self) {
        self.retries.increment(1);
    }
}

fn describe() {
    metrics::describe_gauge!("workqueue_depth", "The number of keys that are queued or wanted again");
    metrics::describe_counter!("workqueue_adds_total", "The number of keys that were enqueued");
    metrics::describe_histogram!(
        "workqueue_queue_duration_seconds",
        Unit::Seconds,
        "The time from the add of a key to its handout"
    );
    metrics::describe_histogram!(
        "workqueue_work_duration_seconds",
        Unit::Seconds,
        "The time from the handout of a key to its release"
    );
    metrics::describe_gauge!(
        "workqueue_unfinished_work_seconds",
        Unit::Seconds,
        "The sum of the ages of all runs in progress"
    );
    metrics::describe_gauge!(
        "workqueue_longest_running_processor_seconds",
        Unit::Seconds,
        "The age of the oldest run in progress"
    );
    metrics::describe_counter!("workqueue_retries_total", "The number of delayed and rate-limited adds");
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use metrics_util::debugging::{DebugValue, DebuggingRecorder};

    use super::*;
    use crate::{AddOptions, Priority, QueueOptions, WorkQueue};

    #[test]
    fn the_seven_names_reach_a_recorder() {
        let recorder = DebuggingRecorder::new();
        let seen = recorder.snapshotter();
        metrics::with_local_recorder(&recorder, || {
            let options = |name: &'static str, priority| QueueOptions {
                metrics: Some(Arc::new(FacadeMetrics::new(name))),
                priority,
                ..QueueOptions::default()
            };
            let plain = WorkQueue::with_options(options("plain", None));
            plain.add(1);
            plain.add(2);
            plain.add_after(3, Duration::ZERO);
            plain.try_get().unwrap().done();
            plain.refresh_metrics();
            let levels = WorkQueue::with_options(options("levels", Some(Priority::default())));
            levels.add_with(1, AddOptions { priority: Some(-100), ..AddOptions::default() });
            levels.add(2);
        });
        let mut recorded: Vec<(String, String)> = seen
            .snapshot()
            .into_vec()
            .into_iter()
            .filter(|(_, _, _, value)| !matches!(value, DebugValue::Histogram(values) if values.is_empty()))
            .map(|(key, _, _, value)| {
                let labels: Vec<_> = key.key().labels().map(|label| label.value().to_owned()).collect();
                let value = match value {
                    DebugValue::Counter(count) => count.to_string(),
                    DebugValue::Gauge(value) => value.to_string(),
                    DebugValue::Histogram(values) => format!("{} values", values.len()),
                };
                (format!("{} {}", key.key().name(), labels.join(",")), value)
            })
            .filter(|(name, _)| !name.contains("levels") || name.contains("depth"))
            .collect();
        recorded.sort();
        let recorded: Vec<(&str, &str)> =
            recorded.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(
            recorded,
            [
                ("workqueue_adds_total plain", "3"),
                ("workqueue_depth levels,-100", "1"),
                ("workqueue_depth levels,0", "1"),
                ("workqueue_depth plain", "2"),
                ("workqueue_longest_running_processor_seconds plain", "0"),
                ("workqueue_queue_duration_seconds plain", "1 values"),
                ("workqueue_retries_total plain", "1"),
                ("workqueue_unfinished_work_seconds plain", "0"),
                ("workqueue_work_duration_seconds plain", "1 values"),
            ]
        );
    }
}
