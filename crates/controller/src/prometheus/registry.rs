//! A registry of metrics by name and labels, and its text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The name and the help text of a metric family.
#[derive(Clone, Copy, Debug)]
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
}

/// All metrics, by family and labels.
#[derive(Debug, Default)]
pub(super) struct Registry {
    families: Mutex<BTreeMap<&'static str, Family>>,
}

#[derive(Debug)]
struct Family {
    help: &'static str,
    kind: &'static str,
    /// By the text of their labels.
    series: BTreeMap<String, Series>,
}

#[derive(Clone, Debug)]
enum Series {
    Number(Number),
    Histogram(Arc<Histogram>),
}

/// A number that several threads may change at once: the bits of an `f64`.
#[derive(Clone, Debug, Default)]
pub(super) struct Number(Arc<AtomicU64>);

impl Number {
    pub(super) fn add(&self, change: f64) {
        let add = |bits| Some((f64::from_bits(bits) + change).to_bits());
        // The closure never returns `None`.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    pub(super) fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }

    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

/// A histogram: how many values were at most each bound.
#[derive(Debug)]
pub(super) struct Histogram {
    bounds: &'static [f64],
    /// One more than the bounds: the last bucket counts values above all bounds.
    counts: Vec<AtomicU64>,
    sum: Number,
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, counts, sum: Number::default() }
    }

    pub(super) fn record(&self, value: f64) {
        let at = self.bounds.partition_point(|bound| *bound < value);
        self.counts[at].fetch_add(1, Ordering::Relaxed);
        self.sum.add(value);
    }

    pub(super) fn took(&self, duration: Duration) {
        self.record(duration.as_secs_f64());
    }
}

impl Registry {
    pub(super) fn counter(&self, about: About, labels: &[(&str, &str)]) -> Number {
        self.number(about, "counter", labels)
    }

    pub(super) fn gauge(&self, about: About, labels: &[(&str, &str)]) -> Number {
        self.number(about, "gauge", labels)
    }

    pub(super) fn histogram(
        &self,
        about: About,
        bounds: &'static [f64],
        labels: &[(&str, &str)],
    ) -> Arc<Histogram> {
        match self.series(about, "histogram", labels, || Series::Histogram(Arc::new(Histogram::new(bounds))))
        {
            Series::Histogram(histogram) => histogram,
            // Every name has one kind: only this crate names metrics.
            Series::Number(_) => Arc::new(Histogram::new(bounds)),
        }
    }

    fn number(&self, about: About, kind: &'static str, labels: &[(&str, &str)]) -> Number {
        match self.series(about, kind, labels, || Series::Number(Number::default())) {
            Series::Number(number) => number,
            Series::Histogram(_) => Number::default(),
        }
    }

    fn series(
        &self,
        about: About,
        kind: &'static str,
        labels: &[(&str, &str)],
        make: impl FnOnce() -> Series,
    ) -> Series {
        let labels = written(labels);
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let family = families.entry(about.name).or_insert_with(|| Family {
            help: about.help,
            kind,
            series: BTreeMap::new(),
        });
        family.series.entry(labels).or_insert_with(make).clone()
    }

    /// Renders Prometheus' text format, version 0.0.4.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, Family { help, kind, series }) in &*families {
            // Writing to a `String` never fails.
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
            for (labels, series) in series {
                match series {
                    Series::Number(number) => line(&mut text, name, "", labels, None, number.get()),
                    Series::Histogram(histogram) => {
                        let mut total = 0;
                        let bounds = histogram.bounds.iter().copied().chain([f64::INFINITY]);
                        for (bound, count) in bounds.zip(&histogram.counts) {
                            total += count.load(Ordering::Relaxed);
                            line(&mut text, name, "_bucket", labels, Some(bound), whole(total));
                        }
                        line(&mut text, name, "_sum", labels, None, histogram.sum.get());
                        line(&mut text, name, "_count", labels, None, whole(total));
                    }
                }
            }
        }
        text
    }
}

#[allow(clippy::cast_precision_loss, reason = "a count beyond 2^53 is never reached")]
fn whole(count: u64) -> f64 {
    count as f64
}

fn line(text: &mut String, name: &str, suffix: &str, labels: &str, bound: Option<f64>, value: f64) {
    text.push_str(name);
    text.push_str(suffix);
    let bound = bound.map(|bound| match bound {
        f64::INFINITY => "le=\"+Inf\"".to_owned(),
        bound => format!("le=\"{bound}\""),
    });
    let parts: Vec<&str> = [Some(labels), bound.as_deref()].into_iter().flatten().collect();
    let parts = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",");
    if !parts.is_empty() {
        let _ = write!(text, "{{{parts}}}");
    }
    let _ = writeln!(text, " {value}");
}

/// Renders labels as `name="pods",priority="0"`, with special characters escaped.
fn written(labels: &[(&str, &str)]) -> String {
    let one = |(name, value): &(&str, &str)| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("{name}=\"{value}\"")
    };
    labels.iter().map(one).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_in_prometheus_format() {
        let registry = Registry::default();
        let requests = About { name: "requests_total", help: "Requests." };
        registry.counter(requests, &[("code", "200")]).add(2.0);
        registry.counter(requests, &[("code", "200")]).add(1.0);
        registry.counter(requests, &[("code", "a\"b\\c\nd")]).add(1.0);
        registry.gauge(About { name: "depth", help: "Depth." }, &[]).set(-1.5);
        let took =
            registry.histogram(About { name: "took", help: "Times." }, &[0.001, 1.0], &[("name", "a")]);
        for value in [0.001, 0.5, 7.0] {
            took.record(value);
        }
        let expected = r#"# HELP depth Depth.
# TYPE depth gauge
depth -1.5
# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{code="200"} 3
requests_total{code="a\"b\\c\nd"} 1
# HELP took Times.
# TYPE took histogram
took_bucket{name="a",le="0.001"} 1
took_bucket{name="a",le="1"} 2
took_bucket{name="a",le="+Inf"} 3
took_sum{name="a"} 7.501
took_count{name="a"} 3
"#;
        assert_eq!(registry.text(), expected);
    }
}
