//! The queue's metrics through the `metrics` crate.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, SharedString, Unit};

use crate::metrics::QueueMetrics;

/// [`QueueMetrics`] for the `metrics` crate, and so for any exporter of it.
///
/// Names are client-go's (`workqueue_depth`, `workqueue_adds_total`, …), with the label `name`; the depth of
/// a queue with priorities has the label `priority` too, one time series for each that occurs. Configure the
/// exporter with [`DURATION_BUCKETS`](crate::DURATION_BUCKETS) for the two histograms.
///
/// Make it after the recorder is installed, and inside it if it is a local one: metrics are looked up then.
#[derive(Debug)]
pub struct FacadeMetrics {
    name: SharedString,
    /// By priority; `None` is the one of a queue without. Made when first told of.
    depths: Mutex<HashMap<Option<i32>, Gauge>>,
    adds: Counter,
    queue_duration: Histogram,
    work_duration: Histogram,
    unfinished: Gauge,
    longest_running: Gauge,
    retries: Counter,
}

impl FacadeMetrics {
    /// The metrics of the queue of this name.
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
    metrics::describe_gauge!("workqueue_depth", "Keys wanted and not handed out");
    metrics::describe_counter!("workqueue_adds_total", "Keys that became wanted");
    metrics::describe_histogram!(
        "workqueue_queue_duration_seconds",
        Unit::Seconds,
        "From the add that made a key wanted to its handout"
    );
    metrics::describe_histogram!("workqueue_work_duration_seconds", Unit::Seconds, "From handout to done");
    metrics::describe_gauge!(
        "workqueue_unfinished_work_seconds",
        Unit::Seconds,
        "The ages of all runs in progress, added up"
    );
    metrics::describe_gauge!(
        "workqueue_longest_running_processor_seconds",
        Unit::Seconds,
        "The age of the oldest run in progress"
    );
    metrics::describe_counter!("workqueue_retries_total", "Delayed and rate-limited adds");
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
        let mut told: Vec<(String, String)> = seen
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
        told.sort();
        let told: Vec<(&str, &str)> =
            told.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(
            told,
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
