//! Metrics of controllers and their parts in Prometheus' format.

mod own;
mod registry;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use client_rs_cache::{ActivityOf, FetchError, InformerActivity, InformerMetrics, MetricsFor};
use client_rs_client::metrics::RequestMetrics;
use client_rs_client::{Error, RestClient, RestClientOptions, Verb};
use client_rs_leaderelection::LeaderMetrics;
use client_rs_transport::Config;
use client_rs_workqueue as workqueue;

use crate::{ControllerOptions, ManagerOptions, ReconcileMetrics, ReconcileOutcome};
pub use own::{
    CounterFamily, CounterMetric, GaugeFamily, GaugeMetric, HistogramFamily, HistogramMetric, MetricError,
};
use registry::{About, Histogram, Number, Registry};

/// Metrics of controllers, queues, informers, clients and elections, under the names that client-go and controller-runtime
/// use, so that existing dashboards and alerts keep working.
///
/// | names | of |
/// |---|---|
/// | `controller_runtime_reconcile_total`, `…_errors_total`, `…_time_seconds`, … (8) | [`controller`](Self::controller) |
/// | `controller_stale_wait_seconds`, `controller_stale_wait_timeouts_total`, `controller_suppressed_writes_total`, `controller_findings_total`: additions of this library | [`controller`](Self::controller) |
/// | `workqueue_depth`, `workqueue_adds_total`, … (7) | [`queue`](Self::queue) |
/// | `informer_queued_items`, `informer_processing_latency_seconds`, `informer_store_resource_version`, `reflector_lists_total`, `reflector_list_duration_seconds`, `reflector_watches_total` | [`informer`](Self::informer) |
/// | `informer_relists_total`, `informer_watch_errors_total`, `informer_undecodable_objects_total`, and for each handler `informer_handler_lag_seconds`, `…_pending_notifications`, `…_notifications_total`, `…_coalesced_notifications_total`, `…_panics_total`: additions of this library | [`informer`](Self::informer) |
/// | `rest_client_requests_total`, `rest_client_request_duration_seconds`, … (6) | [`requests`](Self::requests) |
/// | `leader_election_master_status`, `leader_election_slowpath_total` | [`election`](Self::election) |
/// | your own names | [`counters`](Self::counters), [`gauges`](Self::gauges), [`histograms`](Self::histograms) |
///
/// Nothing is global: pass one of these to each part that should be counted. Cheap to clone; clones share their numbers.
/// Memory: one number or one histogram per name and set of labels that has occurred. Labels are names of controllers, hosts,
/// verbs and status codes. If your program already has a registry, use the feature `metrics`, or implement the traits.
///
/// ```
/// use client_rs_controller::{ControllerOptions, ManagerOptions, Prometheus};
///
/// let metrics = Prometheus::new();
/// let controller = ControllerOptions::default().with_workers(4).with_prometheus(&metrics, "pods");
/// let manager = ManagerOptions::default().with_prometheus(&metrics);
/// # drop((controller, manager));
/// // `/metrics` of the manager shows:
/// assert!(metrics.render().contains("controller_runtime_max_concurrent_reconciles{controller=\"pods\"} 0"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Prometheus(Arc<Registry>);

/// Bounds of times of requests, in seconds: client-go's.
const REQUEST_SECONDS: &[f64] = &[0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0];
/// Bounds of bodies, in bytes: client-go's.
const BODY_BYTES: &[f64] = &[
    64.0,
    256.0,
    512.0,
    1024.0,
    4096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
];
/// Bounds of times of informers, in seconds: client-go's.
const INFORMER_SECONDS: &[f64] = &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Bounds of times of runs, in seconds: controller-runtime's.
const RECONCILE_SECONDS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25,
    1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0,
    50.0, 60.0,
];

impl Prometheus {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Renders all metrics in Prometheus' text format (version 0.0.4).
    ///
    /// ```
    /// use client_rs_controller::{Prometheus, ReconcileOutcome};
    /// # use std::time::Duration;
    ///
    /// let metrics = Prometheus::new();
    /// // A controller calls this after each run.
    /// metrics.controller("pods").ended(ReconcileOutcome::Success, Duration::from_millis(3));
    /// let line = r#"controller_runtime_reconcile_total{controller="pods",result="success"} 1"#;
    /// assert!(metrics.render().lines().any(|text| text == line));
    /// ```
    pub fn render(&self) -> String {
        self.0.text()
    }

    /// [`render`](Self::render) as a function, for [`ManagerOptions::metrics`].
    pub fn renderer(&self) -> Arc<dyn Fn() -> String + Send + Sync> {
        let own = self.clone();
        Arc::new(move || own.render())
    }

    /// The receiver for [`ControllerOptions::metrics`] of the controller with this name.
    /// [`ControllerOptions::with_prometheus`] sets it, and that of the queue.
    pub fn controller(&self, name: &str) -> Arc<dyn ReconcileMetrics> {
        let about = |name, help| About { name, help };
        let labels = [("controller", name)];
        let counter = |name, help| self.0.counter(about(name, help), &labels);
        let results = |label: &str| {
            let total = about("controller_runtime_reconcile_total", "Runs of a controller, by result.");
            self.0.counter(total, &[("controller", name), ("result", label)])
        };
        Arc::new(ControllerMetrics {
            results: ["success", "requeue", "requeue_after", "error", "cancelled"]
                .map(|label| (label, results(label))),
            errors: counter("controller_runtime_reconcile_errors_total", "Runs that failed."),
            terminal: counter(
                "controller_runtime_terminal_reconcile_errors_total",
                "Runs that failed and are not retried.",
            ),
            panics: counter("controller_runtime_reconcile_panics_total", "Runs that panicked."),
            timeouts: counter("controller_runtime_reconcile_timeouts_total", "Runs that took too long."),
            time: self.0.histogram(
                about("controller_runtime_reconcile_time_seconds", "How long a run takes."),
                RECONCILE_SECONDS,
                &labels,
            ),
            workers: self.0.gauge(
                about(
                    "controller_runtime_max_concurrent_reconciles",
                    "How many keys may be reconciled at once.",
                ),
                &labels,
            ),
            active: self.0.gauge(
                about("controller_runtime_active_workers", "How many keys are being reconciled."),
                &labels,
            ),
            stale_wait: self.0.histogram(
                about(
                    "controller_stale_wait_seconds",
                    "How long a key waits until the caches show the process's own writes.",
                ),
                RECONCILE_SECONDS,
                &labels,
            ),
            stale_wait_timeouts: counter(
                "controller_stale_wait_timeouts_total",
                "Runs that began although a cache did not show the process's own writes.",
            ),
            suppressed: counter(
                "controller_suppressed_writes_total",
                "Writes that were not sent because they would have changed nothing.",
            ),
            registry: Arc::clone(&self.0),
            name: name.to_owned(),
        })
    }

    /// The receiver for [`workqueue::QueueOptions::metrics`] of the queue with this name.
    pub fn queue(&self, name: &str) -> Arc<dyn workqueue::QueueMetrics> {
        let labels = [("name", name)];
        let counter = |name, help| self.0.counter(About { name, help }, &labels);
        let gauge = |name, help| self.0.gauge(About { name, help }, &labels);
        let times =
            |name, help| self.0.histogram(About { name, help }, &workqueue::DURATION_BUCKETS, &labels);
        Arc::new(PrometheusQueue {
            registry: Arc::clone(&self.0),
            name: name.to_owned(),
            depths: Mutex::default(),
            adds: counter("workqueue_adds_total", "Keys that were added and were not yet in the queue."),
            retries: counter("workqueue_retries_total", "Keys that were added with a delay."),
            queued: times("workqueue_queue_duration_seconds", "How long a key waits for a worker."),
            worked: times("workqueue_work_duration_seconds", "How long a key is processed."),
            unfinished: gauge(
                "workqueue_unfinished_work_seconds",
                "The sum of the ages of all runs in progress.",
            ),
            longest: gauge(
                "workqueue_longest_running_processor_seconds",
                "The age of the oldest run in progress.",
            ),
        })
    }

    /// The receiver for the informer with this name. For a whole factory use [`informers`](Self::informers).
    pub fn informer(&self, name: &str) -> Arc<dyn InformerMetrics> {
        let labels = [("name", name)];
        let about = |name, help| About { name, help };
        Arc::new(InformerNumbers {
            queued: self.0.gauge(about("informer_queued_items", "Changes that wait for the store."), &labels),
            latency: self.0.histogram(
                about("informer_processing_latency_seconds", "How long a batch of changes takes."),
                INFORMER_SECONDS,
                &labels,
            ),
            version: self.0.gauge(
                about("informer_store_resource_version", "The last 15 digits of the store's version."),
                &labels,
            ),
            lists: self.0.counter(about("reflector_lists_total", "Lists that were read."), &labels),
            list_time: self.0.histogram(
                about("reflector_list_duration_seconds", "How long a list takes."),
                REQUEST_SECONDS,
                &labels,
            ),
            watches: self.0.counter(about("reflector_watches_total", "Watches that were opened."), &labels),
            relists: self.0.counter(
                about("informer_relists_total", "Lists after the first of each reflector."),
                &labels,
            ),
            errors: self
                .0
                .counter(about("informer_watch_errors_total", "Lists and watches that failed."), &labels),
            undecodable: self.0.counter(
                about(
                    "informer_undecodable_objects_total",
                    "Objects and events that could not be decoded or transformed.",
                ),
                &labels,
            ),
            registry: Arc::downgrade(&self.0),
            name: name.to_owned(),
        })
    }

    /// The receivers for all informers of a factory, for
    /// [`FactoryOptions::metrics`](client_rs_cache::FactoryOptions::metrics).
    ///
    /// ```
    /// use client_rs_cache::{FactoryOptions, InformerFactory};
    /// use client_rs_controller::Prometheus;
    ///
    /// let metrics = Prometheus::new();
    /// let options = FactoryOptions::default().with_metrics(metrics.informers());
    /// let factory = InformerFactory::with_options(options);
    /// # assert!(factory.options().metrics.is_some());
    /// ```
    pub fn informers(&self) -> MetricsFor {
        let own = self.clone();
        Arc::new(move |name| own.informer(name))
    }

    /// As [`informers`](Self::informers), for one of several clusters: the label `name` of their metrics is `CLUSTER/KIND`.
    pub fn informers_of(&self, cluster: impl Into<String>) -> MetricsFor {
        let (own, cluster) = (self.clone(), cluster.into());
        Arc::new(move |name| own.informer(&format!("{cluster}/{name}")))
    }

    /// The receiver for [`RestClientOptions::metrics`](client_rs_client::RestClientOptions::metrics).
    pub fn requests(&self) -> Arc<dyn RequestMetrics> {
        Arc::new(self.clone())
    }

    /// Builds a client whose requests are counted here.
    ///
    /// # Errors
    ///
    /// As [`RestClient::from_config`].
    ///
    /// ```
    /// use client_rs_controller::Prometheus;
    /// use client_rs_transport::Config;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let metrics = Prometheus::new();
    /// let config = Config::new("http://127.0.0.1:1".parse()?); // Nothing listens there.
    /// let rest = metrics.rest_client(&config)?;
    /// # use client_rs_client::Request;
    /// rest.send_raw(Request::get().abs_path(["version"])).await.unwrap_err();
    /// assert!(metrics.render().contains("rest_client_requests_total"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn rest_client(&self, config: &Config) -> Result<RestClient, Error> {
        let options = RestClientOptions::from_config(config).with_metrics(self.requests());
        RestClient::from_config_with(config, options)
    }

    /// The receiver for [`LeaderElectionOptions::metrics`](client_rs_leaderelection::LeaderElectionOptions::metrics).
    pub fn election(&self) -> Arc<dyn LeaderMetrics> {
        Arc::new(self.clone())
    }
}

impl ControllerOptions {
    /// Sets the metrics of the controller and of its queue, under the controller's name.
    #[must_use]
    pub fn with_prometheus(mut self, metrics: &Prometheus, name: &str) -> Self {
        self.metrics = Some(metrics.controller(name));
        self.queue.metrics = Some(metrics.queue(name));
        self
    }

    /// As [`with_prometheus`](Self::with_prometheus), where no metrics are set.
    #[cfg(feature = "cluster")]
    pub(crate) fn or_prometheus(mut self, metrics: &Prometheus, name: &str) -> Self {
        self.metrics.get_or_insert_with(|| metrics.controller(name));
        self.queue.metrics.get_or_insert_with(|| metrics.queue(name));
        self
    }
}

impl ManagerOptions {
    /// Serves these metrics at `/metrics`. Also set [`metrics_listen`](Self::metrics_listen).
    #[must_use]
    pub fn with_prometheus(mut self, metrics: &Prometheus) -> Self {
        self.metrics = Some(metrics.renderer());
        self
    }
}

struct ControllerMetrics {
    results: [(&'static str, Number); 5],
    errors: Number,
    terminal: Number,
    panics: Number,
    timeouts: Number,
    time: Arc<Histogram>,
    workers: Number,
    active: Number,
    stale_wait: Arc<Histogram>,
    stale_wait_timeouts: Number,
    suppressed: Number,
    registry: Arc<Registry>,
    name: String,
}

impl ReconcileMetrics for ControllerMetrics {
    fn workers(&self, count: usize) {
        #[allow(clippy::cast_precision_loss, reason = "nobody has so many workers")]
        self.workers.set(count as f64);
    }

    fn began(&self) {
        self.active.add(1.0);
    }

    fn waited_for_caches(&self, waited: Duration, caught_up: bool) {
        self.stale_wait.took(waited);
        if !caught_up {
            self.stale_wait_timeouts.add(1.0);
        }
    }

    fn suppressed_write(&self) {
        self.suppressed.add(1.0);
    }

    fn found(&self, kind: &'static str) {
        let about = About { name: "controller_findings_total", help: "What detectors have found, by kind." };
        self.registry.counter(about, &[("controller", &self.name), ("kind", kind)]).add(1.0);
    }

    fn ended(&self, outcome: ReconcileOutcome, took: Duration) {
        self.active.add(-1.0);
        self.time.took(took);
        if let Some((_, total)) = self.results.iter().find(|(label, _)| *label == outcome.label()) {
            total.add(1.0);
        }
        if outcome.label() == "error" {
            self.errors.add(1.0);
        }
        match outcome {
            ReconcileOutcome::TerminalError => self.terminal.add(1.0),
            ReconcileOutcome::Panic => self.panics.add(1.0),
            ReconcileOutcome::Timeout => self.timeouts.add(1.0),
            _ => {}
        }
    }
}

struct PrometheusQueue {
    registry: Arc<Registry>,
    name: String,
    /// By priority; `None` for a queue without priorities.
    depths: Mutex<HashMap<Option<i32>, Number>>,
    adds: Number,
    retries: Number,
    queued: Arc<Histogram>,
    worked: Arc<Histogram>,
    unfinished: Number,
    longest: Number,
}

impl workqueue::QueueMetrics for PrometheusQueue {
    fn depth(&self, priority: Option<i32>, change: i64) {
        let mut depths = self.depths.lock().unwrap_or_else(PoisonError::into_inner);
        let depth = depths.entry(priority).or_insert_with(|| {
            let about = About { name: "workqueue_depth", help: "Keys that wait for a worker." };
            match priority {
                None => self.registry.gauge(about, &[("name", &self.name)]),
                Some(priority) => {
                    self.registry.gauge(about, &[("name", &self.name), ("priority", &priority.to_string())])
                }
            }
        });
        #[allow(clippy::cast_precision_loss, reason = "changes are of one key at a time")]
        depth.add(change as f64);
    }

    fn added(&self) {
        self.adds.add(1.0);
    }

    fn queued_for(&self, duration: Duration) {
        self.queued.took(duration);
    }

    fn worked_for(&self, duration: Duration) {
        self.worked.took(duration);
    }

    fn unfinished(&self, total: Duration) {
        self.unfinished.set(total.as_secs_f64());
    }

    fn longest_running(&self, duration: Duration) {
        self.longest.set(duration.as_secs_f64());
    }

    fn retried(&self) {
        self.retries.add(1.0);
    }
}

struct InformerNumbers {
    queued: Number,
    latency: Arc<Histogram>,
    version: Number,
    lists: Number,
    list_time: Arc<Histogram>,
    watches: Number,
    relists: Number,
    errors: Number,
    undecodable: Number,
    /// Weak, because the registry has functions that read this informer.
    registry: Weak<Registry>,
    name: String,
}

impl InformerMetrics for InformerNumbers {
    fn observe(&self, activity: ActivityOf) {
        let Some(registry) = self.registry.upgrade() else { return };
        let (weak, name, relists) = (Weak::clone(&self.registry), self.name.clone(), self.relists.clone());
        let last = Mutex::new(Activity::default());
        registry.read_with(Box::new(move || {
            let (Some(registry), Some(activity)) = (weak.upgrade(), activity()) else { return false };
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            last.report(&registry, &name, &relists, &activity);
            true
        }));
    }

    fn listed(&self, _items: usize, took: Duration) {
        self.lists.add(1.0);
        self.list_time.took(took);
    }

    fn watch_opened(&self) {
        self.watches.add(1.0);
    }

    fn failed(&self, _error: &FetchError) {
        self.errors.add(1.0);
    }

    fn undecodable(&self, count: u64) {
        self.undecodable.add(count_of(count));
    }

    fn processed(&self, _deltas: usize, took: Duration, queued: usize) {
        self.latency.took(took);
        #[allow(clippy::cast_precision_loss, reason = "no queue is so long")]
        self.queued.set(queued as f64);
    }

    fn store_resource_version(&self, version: u64) {
        #[allow(clippy::cast_precision_loss, reason = "fifteen digits are exact")]
        self.version.set(version as f64);
    }
}

/// The counts of an informer that were reported last. Only the growth is reported, because several informers and handlers may
/// have the same name.
#[derive(Default)]
struct Activity {
    relists: u64,
    handlers: HashMap<String, [u64; 3]>,
}

impl Activity {
    fn report(&mut self, registry: &Registry, name: &str, relists: &Number, now: &InformerActivity) {
        let total = now.reflectors.iter().map(|reflector| reflector.relists).sum();
        relists.add(count_of(grown(&mut self.relists, total)));
        let mut handlers: HashMap<&str, Handlers> = HashMap::new();
        for handler in &now.handlers {
            let sum = handlers.entry(&handler.name).or_default();
            sum.pending += handler.pending;
            sum.lag = sum.lag.max(handler.lag.unwrap_or_default());
            for (sum, one) in
                sum.counts.iter_mut().zip([handler.delivered, handler.coalesced, handler.panics])
            {
                *sum += one;
            }
        }
        // A handler that was removed lags no more.
        for gone in self.handlers.keys().filter(|known| !handlers.contains_key(known.as_str())) {
            Handlers::default().gauges(registry, name, gone);
        }
        self.handlers.retain(|known, _| handlers.contains_key(known.as_str()));
        for (handler, sum) in handlers {
            sum.gauges(registry, name, handler);
            let last = self.handlers.entry(handler.to_owned()).or_default();
            for ((about, last), total) in HANDLER_COUNTERS.into_iter().zip(last).zip(sum.counts) {
                let counter = registry.counter(about, &[("name", name), ("handler", handler)]);
                counter.add(count_of(grown(last, total)));
            }
        }
    }
}

/// The handlers of one name.
#[derive(Default)]
struct Handlers {
    pending: usize,
    lag: Duration,
    counts: [u64; 3],
}

const HANDLER_COUNTERS: [About; 3] = [
    About { name: "informer_handler_notifications_total", help: "Notifications that a handler has handled." },
    About {
        name: "informer_handler_coalesced_notifications_total",
        help: "Notifications that were merged into others because a handler lagged.",
    },
    About { name: "informer_handler_panics_total", help: "Panics of a handler." },
];

impl Handlers {
    fn gauges(&self, registry: &Registry, name: &str, handler: &str) {
        let labels = [("name", name), ("handler", handler)];
        let gauge = |name, help| registry.gauge(About { name, help }, &labels);
        #[allow(clippy::cast_precision_loss, reason = "no queue is so long")]
        gauge("informer_handler_pending_notifications", "Notifications that wait for a handler.")
            .set(self.pending as f64);
        gauge("informer_handler_lag_seconds", "How long the first waiting notification of a handler waits.")
            .set(self.lag.as_secs_f64());
    }
}

/// Returns by how much a count has grown, and remembers it. A count that is lower has begun again.
fn grown(last: &mut u64, now: u64) -> u64 {
    let before = std::mem::replace(last, now);
    now.checked_sub(before).unwrap_or(now)
}

#[allow(clippy::cast_precision_loss, reason = "a count beyond 2^53 is never reached")]
fn count_of(count: u64) -> f64 {
    count as f64
}

impl Prometheus {
    fn request_times(&self, name: &'static str, help: &'static str, verb: Verb, host: &str, took: Duration) {
        let labels = [("verb", verb.as_str()), ("host", host)];
        self.0.histogram(About { name, help }, REQUEST_SECONDS, &labels).took(took);
    }

    fn body_sizes(&self, name: &'static str, help: &'static str, verb: Verb, host: &str, bytes: u64) {
        let labels = [("verb", verb.as_str()), ("host", host)];
        #[allow(clippy::cast_precision_loss, reason = "no body is so long")]
        self.0.histogram(About { name, help }, BODY_BYTES, &labels).record(bytes as f64);
    }
}

impl RequestMetrics for Prometheus {
    fn result(&self, code: &str, verb: Verb, host: &str) {
        let about = About { name: "rest_client_requests_total", help: "Requests, by status code." };
        self.0.counter(about, &[("code", code), ("method", verb.as_str()), ("host", host)]).add(1.0);
    }

    fn retry(&self, code: &str, verb: Verb, host: &str) {
        let about = About { name: "rest_client_request_retries_total", help: "Requests that were repeated." };
        self.0.counter(about, &[("code", code), ("verb", verb.as_str()), ("host", host)]).add(1.0);
    }

    fn latency(&self, verb: Verb, host: &str, _template: &dyn fmt::Display, took: Duration) {
        let name = "rest_client_request_duration_seconds";
        self.request_times(
            name,
            "How long a request takes until the head of its response.",
            verb,
            host,
            took,
        );
    }

    fn throttled(&self, verb: Verb, host: &str, _template: &dyn fmt::Display, took: Duration) {
        let name = "rest_client_rate_limiter_duration_seconds";
        self.request_times(name, "How long the client's rate limiter delays a request.", verb, host, took);
    }

    fn request_size(&self, verb: Verb, host: &str, bytes: u64) {
        self.body_sizes("rest_client_request_size_bytes", "Size of request bodies.", verb, host, bytes);
    }

    fn response_size(&self, verb: Verb, host: &str, bytes: u64) {
        self.body_sizes("rest_client_response_size_bytes", "Size of response bodies.", verb, host, bytes);
    }
}

impl Prometheus {
    fn leads(&self, name: &str, leads: f64) {
        let about = About { name: "leader_election_master_status", help: "Whether this process leads." };
        self.0.gauge(about, &[("name", name)]).set(leads);
    }
}

impl LeaderMetrics for Prometheus {
    fn leader_on(&self, name: &str) {
        self.leads(name, 1.0);
    }

    fn leader_off(&self, name: &str) {
        self.leads(name, 0.0);
    }

    fn slow_path(&self, name: &str) {
        let help = "Renewals that had to read the lease first.";
        self.0.counter(About { name: "leader_election_slowpath_total", help }, &[("name", name)]).add(1.0);
    }
}
