//! The spans of runs and requests.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use client_rs_cache::{FactoryOptions, InformerFactory};
use client_rs_client::{Request, RestClient};
use client_rs_machinery::ObjectKey;
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{Response, Uri};
use tokio_util::sync::CancellationToken;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::source::{Source, thing};
use crate::{Action, Context, Controller, ControllerOptions, Manager, Prometheus, ReconcileError};

/// A span, with the fields that were recorded.
#[derive(Clone, Debug, Default)]
struct Seen {
    name: &'static str,
    parent: Option<u64>,
    fields: BTreeMap<&'static str, String>,
    /// The messages of its events.
    events: Vec<String>,
    closed: bool,
}

impl Seen {
    fn get(&self, field: &str) -> &str {
        self.fields.get(field).map_or("", String::as_str)
    }
}

type Line = (tracing::Level, String, BTreeMap<&'static str, String>);

/// Keeps all spans of this thread.
#[derive(Clone, Default)]
struct Spans {
    seen: Arc<Mutex<BTreeMap<u64, Seen>>>,
    /// The spans that this thread is in.
    stack: Arc<Mutex<Vec<u64>>>,
    references: Arc<Mutex<BTreeMap<u64, usize>>>,
    /// The events outside of spans: level, message, fields.
    outside: Arc<Mutex<Vec<Line>>>,
    next: Arc<AtomicU64>,
}

impl Spans {
    /// Keeps all spans of this thread until the guard is dropped.
    fn listen(&self) -> tracing::subscriber::DefaultGuard {
        // If there is only one subscriber, `tracing` asks that of the thread that meets a span first, which may belong to
        // another test. With a second one it asks all of them.
        static ANOTHER: OnceLock<tracing::Dispatch> = OnceLock::new();
        ANOTHER.get_or_init(|| tracing::Dispatch::new(Self::default()));
        tracing::subscriber::set_default(self.clone())
    }

    fn of(&self, name: &str) -> Vec<Seen> {
        self.seen.lock().unwrap().values().filter(|span| span.name == name).cloned().collect()
    }

    fn run(&self, key: &str, number: usize) -> Seen {
        let runs = self.of("reconcile").into_iter().filter(|run| run.get("object.name") == key);
        runs.collect::<Vec<_>>()[number].clone()
    }

    fn inside(&self, run: &Seen) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap();
        let parent =
            |span: &Seen| span.parent.and_then(|parent| seen.get(&parent)).map(|parent| &parent.fields);
        seen.values().filter(|span| parent(span) == Some(&run.fields)).cloned().collect()
    }
}

struct Fields<'s>(&'s mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("client_rs_")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let parent = self.stack.lock().unwrap().last().copied();
        let mut seen = Seen { name: attributes.metadata().name(), parent, ..Seen::default() };
        attributes.record(&mut Fields(&mut seen.fields));
        self.seen.lock().unwrap().insert(id, seen);
        self.references.lock().unwrap().insert(id, 1);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, record: &Record<'_>) {
        let mut seen = self.seen.lock().unwrap();
        record.record(&mut Fields(&mut seen.get_mut(&span.into_u64()).unwrap().fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        let message = fields.remove("message").unwrap_or_default();
        let Some(current) = self.stack.lock().unwrap().last().copied() else {
            self.outside.lock().unwrap().push((*event.metadata().level(), message, fields));
            return;
        };
        self.seen.lock().unwrap().get_mut(&current).unwrap().events.push(message);
    }

    fn enter(&self, span: &Id) {
        self.stack.lock().unwrap().push(span.into_u64());
    }

    fn exit(&self, span: &Id) {
        assert_eq!(self.stack.lock().unwrap().pop(), Some(span.into_u64()));
    }

    fn clone_span(&self, span: &Id) -> Id {
        *self.references.lock().unwrap().get_mut(&span.into_u64()).unwrap() += 1;
        span.clone()
    }

    fn try_close(&self, span: Id) -> bool {
        let mut references = self.references.lock().unwrap();
        let count = references.get_mut(&span.into_u64()).unwrap();
        *count -= 1;
        if *count == 0 {
            self.seen.lock().unwrap().get_mut(&span.into_u64()).unwrap().closed = true;
        }
        *count == 0
    }
}

/// A client whose requests get the status that their path names, after a second.
fn client() -> RestClient {
    let service = tower::service_fn(|request: http::Request<Body>| async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        match request.uri().path().trim_start_matches('/').parse::<u16>() {
            Ok(status) => {
                let response = Response::builder().status(status).header("retry-after", "1");
                Ok(response.body(Body::from("{}".to_owned())).unwrap())
            }
            Err(_) => Err(TransportError::Other("cut off".into())),
        }
    });
    let url: Uri = "http://k8s.example:6443".parse().unwrap();
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    RestClient::new(&url, transport).unwrap()
}

async fn get(rest: &RestClient, path: &str) -> bool {
    rest.send_raw(Request::get().abs_path([path]).param("token", "hunter2")).await.is_ok()
}

/// Runs a controller until the runs of all objects have ended at least once.
async fn run(options: ControllerOptions) {
    let source = Source::new();
    for name in ["broken", "panic", "requests", "slow", "stuck"] {
        source.put(thing(name));
    }
    let (informer, rest) = (source.informer(), client());
    let controller = Controller::with_options("c", informer.clone(), options).reconcile(
        move |key: ObjectKey, cx: Context| {
            let rest = rest.clone();
            async move {
                match key.name.as_str() {
                    "requests" => {
                        assert!(get(&rest, "200").await);
                        assert!(!get(&rest, "404").await);
                        assert!(!get(&rest, "gone").await);
                        // Not a request of this run.
                        let other = tokio::spawn(async move { get(&rest, "200").await });
                        assert!(other.await.unwrap());
                    }
                    "broken" if cx.failures() == 0 => return Err(ReconcileError::message("on purpose")),
                    "panic" if cx.failures() == 0 => std::panic::resume_unwind(Box::new("on purpose")),
                    "slow" if cx.failures() == 0 => tokio::time::sleep(Duration::from_mins(1)).await,
                    "stuck" => {
                        get(&rest, "200").await;
                        std::future::pending::<()>().await;
                    }
                    _ => {}
                }
                Ok(Action::done())
            }
        },
    );
    let running = informer.spawn();
    let stop = CancellationToken::new();
    tokio::join!(async { controller.run(stop.clone()).await.unwrap() }, async {
        tokio::time::sleep(Duration::from_secs(80)).await;
        stop.cancel();
    });
    running.shutdown().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_run_is_a_span_and_its_requests_are_in_it() {
    let spans = Spans::default();
    let listening = spans.listen();
    let metrics = Prometheus::new();
    let options = ControllerOptions::default()
        .with_prometheus(&metrics, "c")
        .with_reconcile_timeout(Duration::from_secs(30))
        .with_drain_timeout(Duration::from_secs(1));
    // One worker: the second key waits for the first.
    run(options).await;
    drop(listening);

    let requests = spans.run("requests", 0);
    for (field, value) in [
        ("otel.name", "reconcile c"),
        ("otel.kind", "internal"),
        ("controller", "c"),
        ("key", "n/requests"),
        ("object.namespace", "n"),
        ("object.name", "requests"),
        ("failures", "0"),
        ("result", "success"),
        ("duration", "4.0"),
        ("requests", "3"),
        ("request_errors", "2"),
        ("cause", ""),
        ("otel.status_code", ""),
    ] {
        assert_eq!(requests.get(field), value, "{field}");
    }
    assert!(requests.closed);
    let inside = spans.inside(&requests);
    let shown: Vec<_> =
        ["otel.name", "url.full", "http.response.status_code", "otel.status_code", "error.type"]
            .map(|field| inside.iter().map(|span| span.get(field).to_owned()).collect::<Vec<_>>())
            .into();
    let urls = ["200", "404", "gone"].map(|path| format!("http://k8s.example:6443/{path}?token="));
    assert!(shown[1].iter().zip(&urls).all(|(shown, url)| shown.starts_with(url)), "{shown:?}");
    assert!(!format!("{spans:?}", spans = spans.of("request")).contains("hunter2"));
    assert_eq!(shown[2], ["200", "404", ""]);
    assert_eq!(shown[3], ["", "ERROR", "ERROR"]);
    assert_eq!(shown[4], ["", "404", "transport"]);
    for request in &inside {
        assert_eq!((request.name, request.get("otel.kind")), ("request", "client"));
        assert_eq!(request.get("http.request.method"), "GET");
        assert_eq!(request.get("server.address"), "k8s.example:6443");
        assert!(request.closed);
    }

    for (name, number, result, error) in [
        ("broken", 0, "error", "error"),
        ("broken", 1, "success", ""),
        ("panic", 0, "error", "panic"),
        ("slow", 0, "error", "timeout"),
        ("slow", 1, "success", ""),
        ("stuck", 0, "error", "timeout"),
        ("stuck", 1, "cancelled", ""),
    ] {
        let run = spans.run(name, number);
        assert_eq!((run.get("result"), run.get("error.type")), (result, error), "{name} {number}");
        assert_eq!(run.get("otel.status_code"), if error.is_empty() { "" } else { "ERROR" });
        assert_eq!(run.events.iter().any(|event| event == "reconcile failed"), !error.is_empty(), "{name}");
        assert!(run.closed, "{name} {number}");
    }
    assert_eq!(spans.run("slow", 0).get("duration"), "30.0");
    assert_eq!(spans.run("stuck", 1).get("requests"), "1");
    // The queue waits while the worker is busy.
    let first: f64 = spans.of("reconcile")[0].get("queue_wait").parse().unwrap();
    let stuck: f64 = spans.run("stuck", 0).get("queue_wait").parse().unwrap();
    assert!(first < 0.1 && stuck > 30.0, "{first} {stuck}");
}

#[tokio::test(start_paused = true)]
async fn the_retries_of_a_request_are_one_request() {
    let spans = Spans::default();
    let listening = spans.listen();
    let (rest, count) = (client(), Arc::new(client_rs_client::RequestCount::default()));
    assert!(!count.scope(get(&rest, "429")).await);
    drop(listening);
    let [request] = spans.of("request").try_into().unwrap();
    assert!(request.get("http.request.resend_count").parse::<u32>().unwrap() > 1, "{request:?}");
    assert_eq!((request.get("http.response.status_code"), request.get("error.type")), ("429", "429"));
    assert_eq!((count.requests(), count.errors()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn without_metrics_of_the_queue_the_wait_is_unknown() {
    let spans = Spans::default();
    let listening = spans.listen();
    run(ControllerOptions::default().with_workers(5).with_drain_timeout(Duration::ZERO)).await;
    drop(listening);
    assert_eq!(spans.run("requests", 0).get("queue_wait"), "");
    assert_eq!(spans.run("stuck", 0).get("result"), "cancelled");
}

/// Somebody in front of a terminal sees what runs, without any listener.
#[tokio::test(start_paused = true)]
async fn a_manager_logs_what_it_starts() {
    for (namespaces, shown) in [(vec![], "all"), (vec!["shop", "bank"], "shop, bank")] {
        let (spans, source) = (Spans::default(), Source::new());
        let listening = spans.listen();
        let factory = InformerFactory::with_options(FactoryOptions::default().with_namespaces(namespaces));
        let own = source.informer();
        let informer = factory.informer_for(move |_| own.clone());
        let controller = |name: &str| {
            Controller::new(name, informer.clone())
                .reconcile(|_: ObjectKey, _: Context| std::future::ready(Ok(Action::done())))
        };
        let manager = Manager::new(factory)
            .controller(controller("first"))
            .controller_without_election(controller("second"));
        let stop = CancellationToken::new();
        stop.cancel();
        manager.run(stop).await.unwrap();
        drop(listening);
        let lines = spans.outside.lock().unwrap();
        let (level, _, fields) = lines.iter().find(|(_, message, _)| message == "starting").unwrap();
        assert_eq!(*level, tracing::Level::INFO);
        let field = |name: &str| fields.get(name).map_or("", String::as_str);
        assert_eq!((field("controllers"), field("namespaces")), ("first, second", shown));
        assert_eq!(field("leader_election"), "false");
    }
}
