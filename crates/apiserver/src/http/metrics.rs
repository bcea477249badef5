//! What the server counts of itself, as Prometheus reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::Str;

use crate::registry::Registry;

/// The upper ends of the duration's buckets, in seconds.
const BUCKETS: [f64; 23] = [
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0,
    20.0, 30.0, 45.0, 60.0,
];
/// How many sorts of requests are told apart: paths are a client's, memory is not.
const SORTS_MAX: usize = 4096;

/// What requests are counted by.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sort {
    pub(crate) verb: &'static str,
    pub(crate) group: Str,
    pub(crate) version: Str,
    pub(crate) resource: Str,
    pub(crate) subresource: Str,
    /// `resource`, `namespace`, `cluster`, or nothing for what is not about objects.
    pub(crate) scope: &'static str,
    pub(crate) dry_run: bool,
}

/// The counts of one server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    requests: BTreeMap<(Sort, u16), u64>,
    durations: BTreeMap<Sort, Histogram>,
    watches: BTreeMap<Sort, u64>,
    deprecated: BTreeSet<Sort>,
}

#[derive(Debug, Default)]
struct Histogram {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

/// Counts as long as it is kept: a watch that goes on.
#[derive(Debug)]
pub(crate) struct Going {
    metrics: Arc<Metrics>,
    sort: Sort,
}

impl Metrics {
    /// Counts an answered request.
    pub(crate) fn count(&self, sort: Sort, code: u16, took: Duration) {
        let mut counts = self.lock();
        if counts.durations.len() >= SORTS_MAX && !counts.durations.contains_key(&sort) {
            return;
        }
        *counts.requests.entry((sort.clone(), code)).or_default() += 1;
        let histogram = counts.durations.entry(sort).or_default();
        let seconds = took.as_secs_f64();
        histogram.count += 1;
        histogram.sum += seconds;
        for (bucket, end) in histogram.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= end);
        }
    }

    /// Counts a watch until the answer is dropped.
    pub(crate) fn going(self: &Arc<Self>, sort: Sort) -> Going {
        *self.lock().watches.entry(sort.clone()).or_default() += 1;
        Going { metrics: Arc::clone(self), sort }
    }

    /// Notes that a deprecated version was asked for.
    pub(crate) fn deprecated(&self, sort: Sort) {
        let sort = Sort { verb: "", scope: "", dry_run: false, ..sort };
        self.lock().deprecated.insert(sort);
    }

    /// Everything, in Prometheus' text form.
    pub(crate) fn text(&self, registry: &Registry) -> String {
        let mut text = String::new();
        let counts = self.lock();
        head(&mut text, "apiserver_longrunning_requests", "gauge", "Requests that go on, such as watches.");
        for (sort, count) in &counts.watches {
            let labels = labels(sort, true, false);
            let _ = writeln!(text, "apiserver_longrunning_requests{{{labels}}} {count}");
        }
        head(&mut text, "apiserver_request_duration_seconds", "histogram", "How long requests took.");
        for (sort, histogram) in &counts.durations {
            let labels = labels(sort, true, true);
            let name = "apiserver_request_duration_seconds";
            for (count, end) in histogram.buckets.iter().zip(BUCKETS) {
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{end}\"}} {count}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", histogram.count);
            let _ = writeln!(text, "{name}_sum{{{labels}}} {}", histogram.sum);
            let _ = writeln!(text, "{name}_count{{{labels}}} {}", histogram.count);
        }
        head(&mut text, "apiserver_request_total", "counter", "Requests that were answered, by code.");
        for ((sort, code), count) in &counts.requests {
            let labels = labels(sort, true, true);
            let _ = writeln!(text, "apiserver_request_total{{{labels},code=\"{code}\"}} {count}");
        }
        let name = "apiserver_requested_deprecated_apis";
        head(&mut text, name, "gauge", "Deprecated versions that were asked for.");
        for sort in &counts.deprecated {
            let _ = writeln!(
                text,
                "{name}{{group=\"{}\",removed_release=\"\",resource=\"{}\",subresource=\"{}\",version=\"{}\"}} 1",
                sort.group, sort.resource, sort.subresource, sort.version
            );
        }
        drop(counts);
        head(&mut text, "apiserver_resource_objects", "gauge", "Objects that are kept.");
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

impl Going {
    /// Counts it as answered.
    pub(crate) fn end(&self, code: u16, took: Duration) {
        self.metrics.count(self.sort.clone(), code, took);
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let mut counts = self.metrics.lock();
        if let Some(count) = counts.watches.get_mut(&self.sort) {
            *count -= 1;
            if *count == 0 {
                counts.watches.remove(&self.sort);
            }
        }
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn labels(sort: &Sort, component: bool, dry_run: bool) -> String {
    let mut labels = Vec::new();
    if component {
        labels.push("component=\"apiserver\"".to_owned());
    }
    if dry_run {
        labels.push(format!("dry_run=\"{}\"", if sort.dry_run { "All" } else { "" }));
    }
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    for (name, value) in [
        ("group", sort.group.as_str()),
        ("resource", &sort.resource),
        ("scope", sort.scope),
        ("subresource", &sort.subresource),
        ("verb", sort.verb),
        ("version", &sort.version),
    ] {
        labels.push(format!("{name}=\"{}\"", escaped(value)));
    }
    labels.join(",")
}
