//! The metrics of the server, in Prometheus format.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::{
    Str,
    collections::{VecMap, VecSet},
};

use crate::registry::Registry;

/// The upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 23] = [
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0,
    20.0, 30.0, 45.0, 60.0,
];
/// The largest number of label sets. Clients choose paths, so the number must have a limit.
const LABELS_MAX: usize = 4096;

/// The labels of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RequestLabels {
    pub(crate) verb: &'static str,
    pub(crate) group: Str,
    pub(crate) version: Str,
    pub(crate) resource: Str,
    pub(crate) subresource: Str,
    /// `resource`, `namespace`, `cluster`, or empty for requests that are not for a resource.
    pub(crate) scope: &'static str,
    pub(crate) dry_run: bool,
}

/// The metrics of one server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    requests: VecMap<(RequestLabels, u16), u64>,
    durations: VecMap<RequestLabels, Histogram>,
    watches: VecMap<RequestLabels, u64>,
    deprecated: VecSet<RequestLabels>,
}

#[derive(Debug, Default)]
struct Histogram {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

/// Counts a long-running request, such as a watch, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlight {
    metrics: Arc<Metrics>,
    labels: RequestLabels,
}

impl Metrics {
    /// Counts a completed request.
    pub(crate) fn count(&self, labels: RequestLabels, code: u16, took: Duration) {
        let mut counts = self.lock();
        if counts.durations.len() >= LABELS_MAX && !counts.durations.contains_key(&labels) {
            return;
        }
        *counts.requests.entry((labels.clone(), code)).or_default() += 1;
        let histogram = counts.durations.entry(labels).or_default();
        let seconds = took.as_secs_f64();
        histogram.count += 1;
        histogram.sum += seconds;
        for (bucket, end) in histogram.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= end);
        }
    }

    /// Counts a watch until the returned value is dropped.
    pub(crate) fn start(self: &Arc<Self>, labels: RequestLabels) -> InFlight {
        *self.lock().watches.entry(labels.clone()).or_default() += 1;
        InFlight { metrics: Arc::clone(self), labels }
    }

    /// Records the use of a deprecated version.
    pub(crate) fn deprecated(&self, labels: RequestLabels) {
        let labels = RequestLabels { verb: "", scope: "", dry_run: false, ..labels };
        self.lock().deprecated.insert(labels);
    }

    /// All metrics in Prometheus' text format. `seats` are those of each priority level.
    pub(crate) fn text(&self, registry: &Registry, seats: &VecMap<Str, usize>) -> String {
        let mut text = String::new();
        let name = "apiserver_flowcontrol_nominal_limit_seats";
        head(&mut text, name, "gauge", "Seats of each priority level.");
        for (level, seats) in seats {
            let _ = writeln!(text, "{name}{{priority_level=\"{level}\"}} {seats}");
        }
        let counts = self.lock();
        head(
            &mut text,
            "apiserver_longrunning_requests",
            "gauge",
            "Long-running requests in flight, such as watches.",
        );
        for (labels, count) in &counts.watches {
            let labels = label_text(labels, true, false);
            let _ = writeln!(text, "apiserver_longrunning_requests{{{labels}}} {count}");
        }
        head(
            &mut text,
            "apiserver_request_duration_seconds",
            "histogram",
            "Duration of requests, in seconds.",
        );
        for (labels, histogram) in &counts.durations {
            let labels = label_text(labels, true, true);
            let name = "apiserver_request_duration_seconds";
            for (count, end) in histogram.buckets.iter().zip(BUCKETS) {
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{end}\"}} {count}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", histogram.count);
            let _ = writeln!(text, "{name}_sum{{{labels}}} {}", histogram.sum);
            let _ = writeln!(text, "{name}_count{{{labels}}} {}", histogram.count);
        }
        head(&mut text, "apiserver_request_total", "counter", "Completed requests, by status code.");
        for ((labels, code), count) in &counts.requests {
            let labels = label_text(labels, true, true);
            let _ = writeln!(text, "apiserver_request_total{{{labels},code=\"{code}\"}} {count}");
        }
        let name = "apiserver_requested_deprecated_apis";
        head(&mut text, name, "gauge", "Requested API versions that are deprecated.");
        for labels in &counts.deprecated {
            let _ = writeln!(
                text,
                "{name}{{group=\"{}\",removed_release=\"\",resource=\"{}\",subresource=\"{}\",version=\"{}\"}} 1",
                labels.group, labels.resource, labels.subresource, labels.version
            );
        }
        drop(counts);
        head(&mut text, "apiserver_resource_objects", "gauge", "Stored objects, by resource.");
        for (group, resource, count) in registry.counts() {
            let labels = format!("group=\"{group}\",resource=\"{resource}\"");
            let _ = writeln!(text, "apiserver_resource_objects{{{labels}}} {count}");
        }
        text
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InFlight {
    /// Counts the request as completed.
    pub(crate) fn end(&self, code: u16, took: Duration) {
        self.metrics.count(self.labels.clone(), code, took);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut counts = self.metrics.lock();
        if let Some(count) = counts.watches.get_mut(&self.labels) {
            *count -= 1;
            if *count == 0 {
                counts.watches.remove(&self.labels);
            }
        }
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn label_text(of: &RequestLabels, component: bool, dry_run: bool) -> String {
    let mut labels = Vec::new();
    if component {
        labels.push("component=\"apiserver\"".to_owned());
    }
    if dry_run {
        labels.push(format!("dry_run=\"{}\"", if of.dry_run { "All" } else { "" }));
    }
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    for (name, value) in [
        ("group", of.group.as_str()),
        ("resource", &of.resource),
        ("scope", of.scope),
        ("subresource", &of.subresource),
        ("verb", of.verb),
        ("version", &of.version),
    ] {
        labels.push(format!("{name}=\"{}\"", escaped(value)));
    }
    labels.join(",")
}
