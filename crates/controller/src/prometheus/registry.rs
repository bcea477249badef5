//! A registry of metrics by name and labels, and its text format.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name and the help text of a metric family.
#[derive(Clone, Copy, Debug)]
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
}

/// All metrics, by family and labels.
#[derive(Default)]
pub(super) struct Registry {
    families: Mutex<BTreeMap<Cow<'static, str>, Family>>,
    recent: Mutex<Recent>,
    /// Functions that update metrics before they are rendered. One that returns false is removed.
    readers: Mutex<Vec<Reader>>,
}

pub(super) type Reader = Box<dyn Fn() -> bool + Send>;

#[derive(Debug)]
struct Family {
    help: Cow<'static, str>,
    kind: Kind,
    /// By the text of their labels.
    series: BTreeMap<String, Series>,
    /// How many series it may have.
    limit: usize,
}

/// The kind of a metric family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Counter,
    Gauge,
    Histogram,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
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

    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

/// A histogram: how many values were at most each bound.
#[derive(Debug)]
pub(super) struct Histogram {
    bounds: Cow<'static, [f64]>,
    /// One more than the bounds: the last bucket counts values above all bounds.
    counts: Vec<AtomicU64>,
    sum: Number,
}

impl Histogram {
    pub(super) fn new(bounds: impl Into<Cow<'static, [f64]>>) -> Self {
        let bounds = bounds.into();
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

/// The series that were used lately, such as those of requests by verb and code. They are found without writing their labels.
#[derive(Debug, Default)]
struct Recent {
    entries: Vec<Known>,
    /// The entry that is replaced next.
    oldest: usize,
}

#[derive(Debug)]
struct Known {
    name: &'static str,
    labels: Vec<(Box<str>, Box<str>)>,
    series: Series,
}

impl Recent {
    const MOST: usize = 32;

    fn find(&self, name: &'static str, labels: &[(&str, &str)]) -> Option<&Series> {
        let found = self.entries.iter().find(|known| {
            let own = known.labels.iter().map(|(name, value)| (&**name, &**value));
            std::ptr::eq(known.name, name) && own.eq(labels.iter().copied())
        });
        found.map(|known| &known.series)
    }

    fn remember(&mut self, name: &'static str, labels: &[(&str, &str)], series: &Series) {
        let labels = labels.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let known = Known { name, labels, series: series.clone() };
        if self.entries.len() < Self::MOST {
            self.entries.push(known);
        } else {
            self.entries[self.oldest] = known;
            self.oldest = (self.oldest + 1) % Self::MOST;
        }
    }
}

impl Registry {
    pub(super) fn counter(&self, about: About, labels: &[(&str, &str)]) -> Number {
        self.number(about, Kind::Counter, labels)
    }

    pub(super) fn gauge(&self, about: About, labels: &[(&str, &str)]) -> Number {
        self.number(about, Kind::Gauge, labels)
    }

    pub(super) fn histogram(
        &self,
        about: About,
        bounds: &'static [f64],
        labels: &[(&str, &str)],
    ) -> Arc<Histogram> {
        match self
            .series(about, Kind::Histogram, labels, || Series::Histogram(Arc::new(Histogram::new(bounds))))
        {
            Series::Histogram(histogram) => histogram,
            // Every name has one kind: metrics of others have other names.
            Series::Number(_) => Arc::new(Histogram::new(bounds)),
        }
    }

    fn number(&self, about: About, kind: Kind, labels: &[(&str, &str)]) -> Number {
        match self.series(about, kind, labels, || Series::Number(Number::default())) {
            Series::Number(number) => number,
            Series::Histogram(_) => Number::default(),
        }
    }

    fn series(
        &self,
        about: About,
        kind: Kind,
        labels: &[(&str, &str)],
        make: impl FnOnce() -> Series,
    ) -> Series {
        if let Some(series) = self.recent().find(about.name, labels) {
            return series.clone();
        }
        let series = {
            let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
            let family = families.entry(about.name.into()).or_insert_with(|| Family {
                help: about.help.into(),
                kind,
                series: BTreeMap::new(),
                limit: usize::MAX,
            });
            family.series.entry(written(labels)).or_insert_with(make).clone()
        };
        self.recent().remember(about.name, labels, &series);
        series
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an empty family. Returns false if its name, or one that a histogram derives from its name, is in use.
    pub(super) fn register(&self, name: &str, help: &str, kind: Kind, limit: usize) -> bool {
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = names(name, kind).any(|new| {
            families.iter().any(|(known, family)| names(known, family.kind).any(|known| known == new))
        });
        if !taken {
            let family = Family { help: help.to_owned().into(), kind, series: BTreeMap::new(), limit };
            families.insert(name.to_owned().into(), family);
        }
        !taken
    }

    /// Returns a number of a registered family. If the family has too many series, `None`.
    pub(super) fn registered_number(&self, name: &str, labels: &[(&str, &str)]) -> Option<Number> {
        match self.registered(name, labels, || Series::Number(Number::default()))? {
            Series::Number(number) => Some(number),
            Series::Histogram(_) => None,
        }
    }

    /// Returns a histogram of a registered family. If the family has too many series, `None`.
    pub(super) fn registered_histogram(
        &self,
        name: &str,
        bounds: &[f64],
        labels: &[(&str, &str)],
    ) -> Option<Arc<Histogram>> {
        match self
            .registered(name, labels, || Series::Histogram(Arc::new(Histogram::new(bounds.to_vec()))))?
        {
            Series::Histogram(histogram) => Some(histogram),
            Series::Number(_) => None,
        }
    }

    fn registered(
        &self,
        name: &str,
        labels: &[(&str, &str)],
        make: impl FnOnce() -> Series,
    ) -> Option<Series> {
        let labels = written(labels);
        let mut families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        let family = families.get_mut(name)?;
        if family.series.len() >= family.limit && !family.series.contains_key(&labels) {
            return None;
        }
        Some(family.series.entry(labels).or_insert_with(make).clone())
    }

    /// Adds a function that updates metrics before they are rendered.
    pub(super) fn read_with(&self, reader: Reader) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    /// Renders Prometheus' text format, version 0.0.4.
    pub(super) fn text(&self) -> String {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).retain(|reader| reader());
        let mut text = String::new();
        let families = self.families.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, Family { help, kind, series, .. }) in &*families {
            let help = help.replace('\\', "\\\\").replace('\n', "\\n");
            // Writing to a `String` never fails.
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {}\n", kind.text());
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

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registry").field("families", &self.families).finish_non_exhaustive()
    }
}

/// The names of a family in the text.
fn names(name: &str, kind: Kind) -> impl Iterator<Item = String> {
    let suffixes: &[&str] = match kind {
        Kind::Counter | Kind::Gauge => &[""],
        Kind::Histogram => &["", "_bucket", "_sum", "_count"],
    };
    suffixes.iter().map(move |suffix| format!("{name}{suffix}"))
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
    let _ = match value {
        f64::INFINITY => writeln!(text, " +Inf"),
        f64::NEG_INFINITY => writeln!(text, " -Inf"),
        value => writeln!(text, " {value}"),
    };
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
    fn series_are_found_again_however_many_there_are() {
        let registry = Registry::default();
        let about = About { name: "requests_total", help: "Requests." };
        let codes: Vec<String> = (0..3 * Recent::MOST).map(|code| code.to_string()).collect();
        for _ in 0..2 {
            for code in &codes {
                registry.counter(about, &[("code", code), ("host", "a")]).add(1.0);
                registry.counter(about, &[("code", code), ("host", "b")]).add(1.0);
            }
        }
        let text = registry.text();
        let counts = text.lines().filter(|line| line.starts_with("requests_total{"));
        assert!(counts.clone().all(|line| line.ends_with(" 2")), "{text}");
        assert_eq!(counts.count(), 2 * codes.len());
        assert_eq!(registry.recent().entries.len(), Recent::MOST);
    }

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
