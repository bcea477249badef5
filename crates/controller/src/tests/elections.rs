//! Two managers over one server: their writes never overlap.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_cache::InformerFactory;
use client_rs_client::{Request, RestClient, RestClientOptions};
use client_rs_leaderelection::{LeaderElector, LeaseLock, LeaseLockOptions};
use client_rs_machinery::ObjectKey;
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{Method, Response, Uri};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::source::{Source, thing};
use crate::{Action, Context, Controller, ControllerOptions, Manager, ManagerError};

/// Leases with versions; every other write goes to a sink.
#[derive(Default)]
pub(super) struct Server {
    version: u64,
    pub(super) leases: BTreeMap<String, Value>,
    /// The start of each write to the sink, and the replica that sent it.
    sink: Vec<(Instant, &'static str)>,
    /// The number of releases of the lease while runs of the releasing replica were alive.
    early_releases: usize,
}

pub(super) type Shared = Arc<Mutex<Server>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frozen {
    Nothing,
    Leases,
    Everything,
}

/// One replica's connection to the server.
#[derive(Clone)]
pub(super) struct Replica {
    pub(super) name: &'static str,
    server: Shared,
    /// The requests that do not arrive and get no response.
    pub(super) frozen: watch::Sender<Frozen>,
    /// The delay of responses.
    late: watch::Sender<Duration>,
    /// The number of runs that are alive.
    pub(super) alive: Arc<AtomicUsize>,
}

impl Replica {
    pub(super) fn new(name: &'static str, server: &Shared) -> Self {
        let (frozen, late) = (watch::Sender::new(Frozen::Nothing), watch::Sender::new(Duration::ZERO));
        Self { name, server: Arc::clone(server), frozen, late, alive: Arc::default() }
    }

    pub(super) fn client(&self) -> RestClient {
        let replica = self.clone();
        let service = tower::service_fn(move |request: http::Request<Body>| {
            let replica = replica.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.bytes().await?;
                let path = parts.uri.path().to_owned();
                if !path.contains("/leases") {
                    // The start of a write counts: on the wire it can't be recalled.
                    replica.server.lock().unwrap().sink.push((Instant::now(), replica.name));
                }
                replica.passes(&path).await;
                let answer = replica.answer(&parts.method, &path, &body);
                let late = *replica.late.borrow();
                sleep(late).await;
                replica.passes(&path).await;
                Ok::<_, TransportError>(answer)
            }
        });
        let url: Uri = "http://k8s.example".parse().unwrap();
        let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
        let format = "application/json";
        let mut options = RestClientOptions::default().with_accept(format).with_content_type(format);
        options.url_backoff = None;
        RestClient::with_options(&url, transport, options).unwrap()
    }

    async fn passes(&self, path: &str) {
        let is_open = |frozen: &Frozen| match frozen {
            Frozen::Nothing => true,
            Frozen::Leases => !path.contains("/leases"),
            Frozen::Everything => false,
        };
        let _ = self.frozen.subscribe().wait_for(is_open).await;
    }

    fn answer(&self, method: &Method, path: &str, body: &[u8]) -> Response<Body> {
        let mut server = self.server.lock().unwrap();
        if !path.contains("/leases") {
            return reply(200, &json!({}));
        }
        let refused = |code: u16, reason: &str| {
            reply(
                code,
                &json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason}),
            )
        };
        if *method == Method::GET {
            return server
                .leases
                .get(path)
                .map_or_else(|| refused(404, "NotFound"), |lease| reply(200, lease));
        }
        let mut lease: Value = serde_json::from_slice(body).unwrap();
        let path = match *method {
            Method::POST => format!("{path}/{}", lease["metadata"]["name"].as_str().unwrap()),
            _ => path.to_owned(),
        };
        match (server.leases.get(&path), method) {
            (Some(_), &Method::POST) => return refused(409, "AlreadyExists"),
            (None, &Method::PUT) => return refused(404, "NotFound"),
            (Some(stored), _)
                if stored["metadata"]["resourceVersion"] != lease["metadata"]["resourceVersion"] =>
            {
                return refused(409, "Conflict");
            }
            _ => {}
        }
        if lease["spec"]["holderIdentity"] == "" && self.alive.load(Ordering::SeqCst) > 0 {
            server.early_releases += 1;
        }
        server.version += 1;
        lease["metadata"]["resourceVersion"] = json!(server.version.to_string());
        lease["metadata"]["uid"] = json!("u");
        server.leases.insert(path, lease.clone());
        reply(if *method == Method::POST { 201 } else { 200 }, &lease)
    }

    /// A manager whose one run writes for two minutes and ignores cancellation. It spawns a task that continues even when
    /// the run is dropped.
    fn start(&self, stop: &CancellationToken) -> JoinHandle<Result<(), ManagerError>> {
        let rest = self.client();
        let lock = LeaseLock::new(&rest, LeaseLockOptions::new(("shop", "web"), self.name));
        let elector = LeaderElector::new(lock).unwrap();
        let (plain, gated) = (rest.clone(), elector.gated(&rest));
        let source = Source::new();
        source.put(thing("a"));
        let factory = InformerFactory::new();
        let own = source.informer();
        let informer = factory.informer_for(move |_| own.clone());
        let alive = Arc::clone(&self.alive);
        let options = ControllerOptions { drain_timeout: Duration::from_secs(20), ..Default::default() };
        let controller =
            Controller::with_options("c", informer, options).reconcile(move |_: ObjectKey, _: Context| {
                let (plain, gated, alive) = (plain.clone(), gated.clone(), Alive::new(&alive));
                tokio::spawn(write_for_two_minutes(gated));
                async move {
                    // Without a gate: these writes end because the run is dropped.
                    write_for_two_minutes(plain).await;
                    drop(alive);
                    Ok(Action::done())
                }
            });
        let manager = Manager::new(factory).controller(controller).election(elector);
        tokio::spawn(manager.run(stop.clone()))
    }
}

pub(super) struct Alive(Arc<AtomicUsize>);

impl Alive {
    pub(super) fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn write_for_two_minutes(client: RestClient) {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_mins(2) {
        let write = Request::put().abs_path(["sink"]).object(thing("a"));
        // The result is ignored: this work does not notice a lost leadership.
        let _ = client.send_raw(write).await;
        sleep(Duration::from_millis(100)).await;
    }
}

fn reply(status: u16, body: &Value) -> Response<Body> {
    let response = Response::builder().status(status).header("content-type", "application/json");
    response.body(body.to_string().into()).unwrap()
}

/// Two replicas. The first one leads.
async fn two() -> (Shared, [Replica; 2], [JoinHandle<Result<(), ManagerError>>; 2], [CancellationToken; 2]) {
    let server = Shared::default();
    let replicas = ["a", "b"].map(|name| Replica::new(name, &server));
    let stops = [CancellationToken::new(), CancellationToken::new()];
    let first = replicas[0].start(&stops[0]);
    sleep(Duration::from_secs(5)).await;
    let second = replicas[1].start(&stops[1]);
    sleep(Duration::from_secs(20)).await;
    (server, replicas, [first, second], stops)
}

/// Checks that the first replica starts no write after the first write of the second one.
fn check(server: &Shared) -> (Instant, Instant) {
    let server = server.lock().unwrap();
    let last = server.sink.iter().rev().find(|(_, who)| *who == "a").expect("a never writes").0;
    let first = server.sink.iter().find(|(_, who)| *who == "b").expect("b never writes").0;
    assert!(last < first, "a writes {:?} after b has begun", last - first);
    assert_eq!(server.early_releases, 0, "the lease is released while a run is alive");
    (last, first)
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_is_partitioned_until_its_deadline_writes_nothing_after_the_other_has_begun() {
    // Connected again just after its deadline, in the middle, and long after.
    for (frozen, millis) in [
        (Frozen::Everything, 10_050),
        (Frozen::Everything, 12_000),
        (Frozen::Leases, 12_000),
        (Frozen::Leases, 40_000),
    ] {
        let (server, replicas, [first, _second], _stops) = two().await;
        replicas[0].frozen.send_replace(frozen);
        sleep(Duration::from_millis(millis)).await;
        replicas[0].frozen.send_replace(Frozen::Nothing);
        sleep(Duration::from_mins(1)).await;
        check(&server);
        let ended = first.await.unwrap();
        assert!(matches!(ended, Err(ManagerError::LeadershipLost)), "{ended:?}");
        assert_eq!(replicas[0].alive.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn slow_responses_do_not_lead_to_two_leaders() {
    for late in [4, 6, 9, 11] {
        let (server, replicas, ..) = two().await;
        replicas[0].late.send_replace(Duration::from_secs(late));
        sleep(Duration::from_secs(90)).await;
        if server.lock().unwrap().sink.iter().any(|(_, who)| *who == "b") {
            check(&server);
        } else {
            assert!(late < 5, "a can't have renewed in time");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_deleted_lease_does_not_lead_to_two_leaders() {
    // The leader creates it again.
    let (server, ..) = two().await;
    server.lock().unwrap().leases.clear();
    sleep(Duration::from_mins(1)).await;
    assert!(server.lock().unwrap().sink.iter().all(|(_, who)| *who == "a"));

    // Deleted while the leader can't renew it: the other replica still waits for the leader's deadline.
    let (server, replicas, ..) = two().await;
    replicas[0].frozen.send_replace(Frozen::Leases);
    server.lock().unwrap().leases.clear();
    sleep(Duration::from_mins(1)).await;
    check(&server);
}

#[tokio::test(start_paused = true)]
async fn a_replica_that_is_stopped_drains_its_runs_and_then_releases_the_lease() {
    let (server, replicas, [first, _second], [stop, _]) = two().await;
    let begin = Instant::now();
    stop.cancel();
    // In the middle of the drain it still leads, and writes.
    sleep(Duration::from_secs(19)).await;
    assert_eq!(replicas[0].alive.load(Ordering::SeqCst), 1);
    assert!(server.lock().unwrap().sink.iter().all(|(_, who)| *who == "a"));
    first.await.unwrap().unwrap();
    assert!((20..=21).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());
    sleep(Duration::from_secs(10)).await;
    let (last, first) = check(&server);
    assert!(last - begin > Duration::from_secs(19));
    // The lease was released: the other replica did not have to wait until it expired.
    assert!(first - last < Duration::from_secs(5), "{:?}", first - last);
}
