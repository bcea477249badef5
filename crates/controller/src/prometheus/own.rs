//! Metrics of the program that uses this crate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Prometheus;
use super::registry::{Histogram, Kind, Number, Registry};
use client_rs_machinery::collections::VecSet;

/// How many series a family may have. A label whose values are not bounded, such as an object's name, would need more and more
/// memory, here and in Prometheus.
const SERIES_MAX: usize = 10_000;

/// The beginnings of the names that this crate uses.
const RESERVED: [&str; 8] = [
    "controller_runtime_",
    "controller_stale_wait_",
    "controller_suppressed_",
    "informer_",
    "leader_election_",
    "reflector_",
    "rest_client_",
    "workqueue_",
];

/// The reason why a metric can't be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// The name has other characters than Prometheus allows.
    #[error(
        "{0:?} is not a name of a metric: it must have letters, digits, underscores and colons, and not begin with a digit"
    )]
    Name(String),
    /// The name, or one that a histogram derives from it (`…_bucket`, `…_sum`, `…_count`), is in use.
    #[error("a metric with the name {0:?} is already registered: register it once, and clone what you get")]
    Duplicate(String),
    /// The name begins as those that this library uses.
    #[error(
        "names of metrics that begin with {prefix:?} belong to client-rs: choose another name than {name:?}"
    )]
    Reserved {
        /// The name.
        name: String,
        /// Its reserved beginning.
        prefix: &'static str,
    },
    /// The name of a label has other characters than Prometheus allows, is reserved, or occurs twice.
    #[error("the metric {metric:?} can't have the label {label:?}: {why}")]
    Label {
        /// The metric.
        metric: String,
        /// The label.
        label: String,
        /// The reason.
        why: &'static str,
    },
    /// The bounds of a histogram are not finite numbers that grow.
    #[error(
        "the bounds of the histogram {0:?} must be at least one finite number, each greater than the one before"
    )]
    Bounds(String),
}

/// Your own metrics, in the same registry and the same `/metrics`.
///
/// The number of labels is part of the type: a value for each label is required where a metric is used. Errors are those of
/// [`MetricError`]. A family has at most 10,000 sets of label values; numbers beyond are not exported, and a warning is
/// logged once. So label values must come from a small set: names of shops, not of orders.
impl Prometheus {
    /// Registers counters: numbers that only grow. By convention the name ends in `_total`.
    ///
    /// ```
    /// use client_rs_controller::{MetricError, Prometheus};
    ///
    /// let metrics = Prometheus::new();
    /// let orders = metrics.counters("shop_orders_total", "Orders that were placed.", ["shop", "result"])?;
    /// orders.with(["books", "accepted"]).increment();
    /// orders.with(["books", "accepted"]).add(2.0);
    /// let line = r#"shop_orders_total{shop="books",result="accepted"} 3"#;
    /// assert!(metrics.render().lines().any(|text| text == line));
    ///
    /// let again = metrics.counters("shop_orders_total", "Orders.", []);
    /// assert!(matches!(again, Err(MetricError::Duplicate(_))));
    /// # Ok::<(), MetricError>(())
    /// ```
    pub fn counters<const N: usize>(
        &self,
        name: &str,
        help: &str,
        labels: [&str; N],
    ) -> Result<CounterFamily<N>, MetricError> {
        Ok(CounterFamily(self.family(name, help, Kind::Counter, labels, Vec::new())?))
    }

    /// Registers gauges: numbers that may go up and down.
    ///
    /// ```
    /// use client_rs_controller::Prometheus;
    ///
    /// let metrics = Prometheus::new();
    /// // Without labels there is one gauge.
    /// let open = metrics.gauges("shop_open_carts", "Carts that are not empty.", [])?.with([]);
    /// open.set(3.0);
    /// open.add(-1.0);
    /// assert!(metrics.render().contains("# TYPE shop_open_carts gauge\nshop_open_carts 2\n"));
    /// # Ok::<(), client_rs_controller::MetricError>(())
    /// ```
    pub fn gauges<const N: usize>(
        &self,
        name: &str,
        help: &str,
        labels: [&str; N],
    ) -> Result<GaugeFamily<N>, MetricError> {
        Ok(GaugeFamily(self.family(name, help, Kind::Gauge, labels, Vec::new())?))
    }

    /// Registers histograms: how many values were at most each of the bounds, and their sum.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use client_rs_controller::Prometheus;
    ///
    /// let metrics = Prometheus::new();
    /// let bounds = [0.01, 0.1, 1.0, 10.0];
    /// let times = metrics.histograms("shop_payment_seconds", "How long payments take.", bounds, ["bank"])?;
    /// times.with(["a"]).record_duration(Duration::from_millis(50));
    /// assert!(metrics.render().contains(r#"shop_payment_seconds_bucket{bank="a",le="0.1"} 1"#));
    /// # Ok::<(), client_rs_controller::MetricError>(())
    /// ```
    pub fn histograms<const N: usize>(
        &self,
        name: &str,
        help: &str,
        bounds: impl Into<Vec<f64>>,
        labels: [&str; N],
    ) -> Result<HistogramFamily<N>, MetricError> {
        let bounds = bounds.into();
        let grow = bounds.windows(2).all(|pair| pair[0] < pair[1]);
        if bounds.is_empty() || !grow || !bounds.iter().all(|bound| bound.is_finite()) {
            return Err(MetricError::Bounds(name.to_owned()));
        }
        Ok(HistogramFamily(self.family(name, help, Kind::Histogram, labels, bounds)?))
    }

    fn family<const N: usize>(
        &self,
        name: &str,
        help: &str,
        kind: Kind,
        labels: [&str; N],
        bounds: Vec<f64>,
    ) -> Result<Arc<Family<N>>, MetricError> {
        check(name, kind, &labels)?;
        if !self.0.register(name, help, kind, SERIES_MAX) {
            return Err(MetricError::Duplicate(name.to_owned()));
        }
        let family = Family {
            registry: Arc::clone(&self.0),
            name: name.to_owned(),
            labels: labels.map(str::to_owned),
            bounds,
            warned: AtomicBool::new(false),
        };
        if N == 0 {
            // A metric without labels is 0 from the start.
            family.first(kind);
        }
        Ok(Arc::new(family))
    }
}

/// Checks the names of a metric and its labels.
fn check(name: &str, kind: Kind, labels: &[&str]) -> Result<(), MetricError> {
    let is_name = |text: &str, more: &[char]| {
        let part = |character: char| {
            character.is_ascii_alphanumeric() || character == '_' || more.contains(&character)
        };
        text.chars().all(part) && text.chars().next().is_some_and(|first| !first.is_ascii_digit())
    };
    if !is_name(name, &[':']) {
        return Err(MetricError::Name(name.to_owned()));
    }
    if let Some(prefix) = RESERVED.into_iter().find(|prefix| name.starts_with(prefix)) {
        return Err(MetricError::Reserved { name: name.to_owned(), prefix });
    }
    let mut known = VecSet::new();
    for label in labels {
        let why = if !is_name(label, &[]) {
            "it must have letters, digits and underscores, and not begin with a digit"
        } else if label.starts_with("__") {
            "names with two underscores at the beginning are reserved by Prometheus"
        } else if *label == "le" && kind == Kind::Histogram {
            "in a histogram it is the bound"
        } else if !known.insert(label) {
            "it occurs twice"
        } else {
            continue;
        };
        return Err(MetricError::Label { metric: name.to_owned(), label: (*label).to_owned(), why });
    }
    Ok(())
}

/// A registered family of metrics.
#[derive(Debug)]
struct Family<const N: usize> {
    registry: Arc<Registry>,
    name: String,
    labels: [String; N],
    /// Of histograms.
    bounds: Vec<f64>,
    /// Whether it was logged that there are too many series.
    warned: AtomicBool,
}

impl<const N: usize> Family<N> {
    fn number(&self, values: [&str; N]) -> Number {
        let number = self.registry.registered_number(&self.name, &self.with(values));
        number.unwrap_or_else(|| self.too_many(Number::default()))
    }

    fn histogram(&self, values: [&str; N]) -> Arc<Histogram> {
        let histogram = self.registry.registered_histogram(&self.name, &self.bounds, &self.with(values));
        histogram.unwrap_or_else(|| self.too_many(Arc::new(Histogram::new(self.bounds.clone()))))
    }

    /// Makes the metric of a family without labels.
    fn first(&self, kind: Kind) {
        match kind {
            Kind::Counter | Kind::Gauge => drop(self.registry.registered_number(&self.name, &[])),
            Kind::Histogram => drop(self.registry.registered_histogram(&self.name, &self.bounds, &[])),
        }
    }

    fn with<'a>(&'a self, values: [&'a str; N]) -> Vec<(&'a str, &'a str)> {
        self.labels.iter().map(String::as_str).zip(values).collect()
    }

    /// Returns a metric that is not exported.
    fn too_many<M>(&self, metric: M) -> M {
        if !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                metric = self.name,
                limit = SERIES_MAX,
                "too many label values; new ones are not exported"
            );
        }
        metric
    }
}

/// Registered counters of one name; [`Prometheus::counters`] returns them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CounterFamily<const N: usize>(Arc<Family<N>>);

impl<const N: usize> CounterFamily<N> {
    /// Returns the counter with these label values, in the order of the labels. It looks up the values: keep the result if
    /// you count often.
    pub fn with(&self, values: [&str; N]) -> CounterMetric {
        CounterMetric(self.0.number(values))
    }
}

/// A number that only grows. Cheap to clone; clones are the same counter.
#[derive(Clone, Debug)]
pub struct CounterMetric(Number);

impl CounterMetric {
    /// Adds 1.
    pub fn increment(&self) {
        self.0.add(1.0);
    }

    /// Adds a number. One that is negative or not finite is ignored.
    pub fn add(&self, count: f64) {
        if count.is_finite() && count > 0.0 {
            self.0.add(count);
        }
    }

    /// Returns its value.
    pub fn get(&self) -> f64 {
        self.0.get()
    }
}

/// Registered gauges of one name; [`Prometheus::gauges`] returns them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GaugeFamily<const N: usize>(Arc<Family<N>>);

impl<const N: usize> GaugeFamily<N> {
    /// Returns the gauge with these label values, in the order of the labels.
    pub fn with(&self, values: [&str; N]) -> GaugeMetric {
        GaugeMetric(self.0.number(values))
    }
}

/// A number that may go up and down. Cheap to clone; clones are the same gauge.
#[derive(Clone, Debug)]
pub struct GaugeMetric(Number);

impl GaugeMetric {
    /// Sets the value.
    pub fn set(&self, value: f64) {
        self.0.set(value);
    }

    /// Adds a number, which may be negative.
    pub fn add(&self, change: f64) {
        self.0.add(change);
    }

    /// Returns its value.
    pub fn get(&self) -> f64 {
        self.0.get()
    }
}

/// Registered histograms of one name; [`Prometheus::histograms`] returns them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct HistogramFamily<const N: usize>(Arc<Family<N>>);

impl<const N: usize> HistogramFamily<N> {
    /// Returns the histogram with these label values, in the order of the labels.
    pub fn with(&self, values: [&str; N]) -> HistogramMetric {
        HistogramMetric(self.0.histogram(values))
    }
}

/// The distribution of values. Cheap to clone; clones are the same histogram.
#[derive(Clone, Debug)]
pub struct HistogramMetric(Arc<Histogram>);

impl HistogramMetric {
    /// Records a value. One that is not a number is ignored.
    pub fn record(&self, value: f64) {
        if !value.is_nan() {
            self.0.record(value);
        }
    }

    /// Records a duration, in seconds.
    pub fn record_duration(&self, duration: Duration) {
        self.0.took(duration);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_metrics_are_in_the_text_with_help_type_and_escapes() {
        let metrics = Prometheus::new();
        let counters = metrics.counters("a_total", "Line one.\nA back\\slash.", ["who"]).unwrap();
        counters.with(["x\"y\\z\n"]).increment();
        counters.clone().with(["x\"y\\z\n"]).add(1.5);
        for odd in [-1.0, f64::NAN, f64::INFINITY, 0.0] {
            counters.with(["x\"y\\z\n"]).add(odd);
        }
        assert!((counters.with(["x\"y\\z\n"]).get() - 2.5).abs() < 1e-9);
        let _unused = metrics.gauges("b", "", []).unwrap();
        let gauge = metrics.gauges("c:d", "Gauge.", ["p", "q"]).unwrap().with(["1", ""]);
        gauge.set(f64::INFINITY);
        let times = metrics.histograms("t", "Times.", [1.0, 2.5], []).unwrap().with([]);
        for value in [0.5, 2.5, f64::NAN, f64::INFINITY] {
            times.record(value);
        }
        let expected = r#"# HELP a_total Line one.\nA back\\slash.
# TYPE a_total counter
a_total{who="x\"y\\z\n"} 2.5
# HELP b 
# TYPE b gauge
b 0
# HELP c:d Gauge.
# TYPE c:d gauge
c:d{p="1",q=""} +Inf
# HELP t Times.
# TYPE t histogram
t_bucket{le="1"} 1
t_bucket{le="2.5"} 2
t_bucket{le="+Inf"} 3
t_sum +Inf
t_count 3
"#;
        assert_eq!(metrics.render(), expected);
        gauge.set(f64::NEG_INFINITY);
        assert!(metrics.render().contains("c:d{p=\"1\",q=\"\"} -Inf\n"));
        gauge.set(f64::NAN);
        assert!(metrics.render().contains("c:d{p=\"1\",q=\"\"} NaN\n"));
    }

    #[test]
    fn names_that_prometheus_or_this_crate_would_misread_are_refused() {
        let metrics = Prometheus::new();
        for odd in ["", "1a", "a-b", "a b", "a{b", "ä", "a\n"] {
            assert_eq!(metrics.counters(odd, "", []).unwrap_err(), MetricError::Name(odd.to_owned()));
        }
        let refused = |labels: [&str; 2]| match metrics.histograms("h", "", [1.0], labels) {
            Err(MetricError::Label { label, .. }) => label,
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(["a", "a"]), "a");
        for odd in ["", "1", "a:b", "__a", "le", "a-b"] {
            assert_eq!(refused(["x", odd]), odd);
        }
        assert!(metrics.gauges("g", "", ["le"]).is_ok(), "only histograms have bounds");
        let error = metrics.counters("workqueue_depth", "", []).unwrap_err();
        let text = "names of metrics that begin with \"workqueue_\" belong to client-rs: choose another name than \"workqueue_depth\"";
        assert_eq!(error.to_string(), text);
        for odd in [&[][..], &[1.0, 1.0], &[2.0, 1.0], &[f64::NAN], &[1.0, f64::INFINITY]] {
            assert_eq!(
                metrics.histograms("x", "", odd, []).unwrap_err(),
                MetricError::Bounds("x".to_owned())
            );
        }
        // A refused metric leaves its name free.
        assert!(metrics.histograms("h", "", [1.0], []).is_ok());
    }

    #[test]
    fn a_name_is_used_once_also_by_the_lines_of_a_histogram() {
        let metrics = Prometheus::new();
        let duplicate = |name: &str| Some(MetricError::Duplicate(name.to_owned()));
        metrics.histograms("time", "", [1.0], []).unwrap();
        for name in ["time", "time_sum", "time_count", "time_bucket"] {
            assert_eq!(metrics.gauges(name, "", []).err(), duplicate(name));
        }
        metrics.counters("bytes_sum", "", []).unwrap();
        assert_eq!(metrics.histograms("bytes", "", [1.0], []).err(), duplicate("bytes"));
        assert!(metrics.counters("bytes", "", []).is_ok());
    }

    #[test]
    fn the_number_of_series_is_bounded() {
        let metrics = Prometheus::new();
        let counters = metrics.counters("objects_total", "", ["name"]).unwrap();
        for number in 0..SERIES_MAX + 10 {
            counters.with([&number.to_string()]).increment();
        }
        counters.with(["7"]).increment();
        let text = metrics.render();
        assert_eq!(text.lines().count(), SERIES_MAX + 2);
        assert!(text.contains("objects_total{name=\"7\"} 2\n"));
    }
}
