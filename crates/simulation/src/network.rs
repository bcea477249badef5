//! The network between a process and the servers: a layer of the process's transport.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use client_rs_transport::http::{Body, Transport};
use fastrand::Rng;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body::Frame;
use http_body_util::BodyExt as _;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};
use tower::{Service, ServiceExt as _};

use crate::plan::{AtWrite, OUTAGE};
use crate::tap::{Call, Tap, WatchTap};

/// How long a connection without a sign of life is kept: pings of HTTP/2 find it then.
const DEAD: Duration = Duration::from_secs(45);

/// The state of the network of one process.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "faults are independent of each other")]
#[non_exhaustive]
pub struct State {
    /// Random numbers for latencies.
    pub random: Rng,
    /// Connections are refused.
    pub refuses: bool,
    /// The name of the server can't be resolved.
    pub unresolved: bool,
    /// Requests do not arrive.
    pub loses_requests: bool,
    /// Responses do not arrive.
    pub loses_responses: bool,
    /// The response to the next request does not arrive.
    pub loses_next: bool,
    /// The body of the next response is silent.
    pub hangs_next: bool,
    /// The next part of a body is cut at a random byte.
    pub cuts_inside: bool,
    /// The longest additional time of a request, and of a response.
    pub latency: Duration,
    /// Requests get this status.
    pub storm: Option<u16>,
    /// The time until which writes get an internal error, except those of leases and events.
    pub outage: Option<Instant>,
    /// The time that an event takes.
    pub lag: Duration,
    /// The server of new requests.
    pub route: usize,
    /// The number of requests that were sent, without those of leases and events in a simulation that records requests.
    pub requests: u64,
    /// The process is to be killed: nothing leaves it any more.
    pub dead: bool,
    /// Lists come from a watch cache at this version, and its watches deliver nothing for this time.
    pub behind: Option<(u64, Duration)>,
}

/// The network of one process.
#[derive(Clone, Debug)]
pub struct Network {
    state: Arc<Mutex<State>>,
    /// Counts the cuts of open responses.
    cuts: watch::Sender<u64>,
    /// Counts those after which they are silent.
    hangs: watch::Sender<u64>,
    tap: Option<Arc<Tap>>,
}

impl Network {
    /// Makes a network without faults.
    pub fn new(seed: u64) -> Self {
        let state = State {
            random: Rng::with_seed(seed),
            refuses: false,
            unresolved: false,
            loses_requests: false,
            loses_responses: false,
            loses_next: false,
            hangs_next: false,
            cuts_inside: false,
            latency: Duration::ZERO,
            storm: None,
            outage: None,
            lag: Duration::ZERO,
            route: 0,
            requests: 0,
            dead: false,
            behind: None,
        };
        let (cuts, hangs) = (watch::Sender::new(0), watch::Sender::new(0));
        Self { state: Arc::new(Mutex::new(state)), cuts, hangs, tap: None }
    }

    /// Records what the process reads and writes.
    pub(crate) fn with_tap(self, tap: Tap) -> Self {
        Self { tap: Some(Arc::new(tap)), ..self }
    }

    /// Returns its state.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all faults, except those of responses that are open.
    pub fn heal(&self) {
        let mut state = self.state();
        (state.refuses, state.loses_requests, state.loses_responses) = (false, false, false);
        (state.loses_next, state.storm, state.lag, state.behind) = (false, None, Duration::ZERO, None);
        (state.unresolved, state.hangs_next, state.cuts_inside) = (false, false, false);
        (state.latency, state.outage) = (Duration::ZERO, None);
    }

    /// Ends open responses with an error.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Makes open responses silent.
    pub fn hang(&self) {
        self.hangs.send_modify(|hangs| *hangs += 1);
    }

    /// Carries out a request, over one of the servers.
    #[allow(clippy::too_many_lines, reason = "the way of one request, in its order")]
    pub async fn send(
        self,
        servers: Arc<[Transport]>,
        request: Request<Body>,
    ) -> Result<Response<Body>, io::Error> {
        let (there, back, route, behind) = {
            let mut state = self.state();
            let longest = 12 + u64::try_from(state.latency.as_millis()).unwrap_or(u64::MAX - 12);
            let latency = |random: &mut Rng| Duration::from_millis(random.u64(1..longest));
            let (there, back) = (latency(&mut state.random), latency(&mut state.random));
            (there, back, state.route % servers.len(), state.behind)
        };
        let (call, request) = match (&self.tap, behind) {
            (Some(_), _) | (None, Some(_)) => {
                let (call, request) = Call::read(request, behind.map(|(version, _)| version)).await?;
                (Some(call), request)
            }
            (None, None) => (None, request),
        };
        if self.tap.is_none() || call.as_ref().is_none_or(|call| !call.is_bookkeeping()) {
            self.state().requests += 1;
        }
        let act = match (&self.tap, &call) {
            (Some(tap), Some(call)) => tap.sends(call),
            _ => None,
        };
        if act == Some(AtWrite::KillBefore) {
            self.state().dead = true;
        }
        tokio::time::sleep(there).await;
        let (refuses, unresolved, lost, storm, dead) = {
            let mut state = self.state();
            if act == Some(AtWrite::Outage) {
                state.outage = Some(Instant::now() + OUTAGE);
            }
            let outage = state.outage.is_some_and(|until| Instant::now() < until)
                && call.as_ref().is_some_and(Call::counts);
            let storm = if outage || act == Some(AtWrite::Refuse) { Some(500) } else { state.storm };
            (state.refuses, state.unresolved, state.loses_requests, storm, state.dead)
        };
        if let (Some(tap), Some(call)) = (&self.tap, &call)
            && (dead || refuses || unresolved || lost || act == Some(AtWrite::LoseRequest))
        {
            tap.lost(call);
        }
        if dead {
            std::future::pending::<()>().await;
        }
        if refuses {
            return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"));
        }
        if unresolved {
            return Err(io::Error::other("failed to lookup address information: temporary failure"));
        }
        if act == Some(AtWrite::LoseRequest) {
            return Err(reset());
        }
        if lost {
            return Err(silence().await);
        }
        if let Some(status) = storm {
            if let (Some(tap), Some(call)) = (&self.tap, &call) {
                tap.refused(call, status);
            }
            return Ok(refusal(status));
        }
        if call.as_ref().is_some_and(|call| call.streams_list && behind.is_some()) {
            // As a server answers that has no streamed lists.
            return Ok(refusal(422));
        }
        let server = &servers[route];
        if let (Some(AtWrite::Conflict), Some(call)) = (act, &call) {
            call.touch(server).await?;
        }
        let before = match &call {
            Some(call) if self.tap.is_some() && call.counts() => call.look(server).await?,
            _ => None,
        };
        let cuts = self.cuts.subscribe();
        let hangs = self.hangs.subscribe();
        let mut response = server.clone().oneshot(request).await.map_err(io::Error::other)?;
        let watch = call.as_ref().is_some_and(|call| call.is_watch);
        if let (Some(tap), Some(call), false) = (&self.tap, &call, watch) {
            let (parts, body) = response.into_parts();
            let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
            tap.answered(call, parts.status.as_u16(), before.as_ref(), &bytes);
            response = Response::from_parts(parts, Body::from(bytes));
        }
        let (lost, hangs_now, dead) = {
            let mut state = self.state();
            state.dead |= act == Some(AtWrite::KillAfter);
            let lost = std::mem::take(&mut state.loses_next) || state.loses_responses;
            (lost, !lost && std::mem::take(&mut state.hangs_next), state.dead)
        };
        let reset_after = act == Some(AtWrite::LoseResponse);
        if let (Some(tap), Some(call)) = (&self.tap, &call)
            && (lost || dead || reset_after)
        {
            tap.unanswered(call);
        }
        if dead {
            std::future::pending::<()>().await;
        }
        if reset_after {
            return Err(reset());
        }
        if lost {
            return Err(silence().await);
        }
        tokio::time::sleep(back).await;
        let (parts, body) = response.into_parts();
        let tap = match (self.tap.clone(), call) {
            (Some(tap), Some(call)) if watch => Some(WatchTap::new(tap, call)),
            (Some(tap), Some(call)) => {
                tap.received(&call);
                None
            }
            _ => None,
        };
        let until = behind.filter(|_| watch).map(|(_, time)| Instant::now() + time);
        let body = Wire {
            body,
            network: self,
            cuts: changed(cuts),
            hangs: changed(hangs),
            silent: hangs_now.then(|| Box::pin(tokio::time::sleep(DEAD))),
            held: None,
            until,
            tap,
        };
        Ok(Response::from_parts(parts, Body::new(body)))
    }
}

fn reset() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionReset, "connection reset")
}

async fn silence() -> io::Error {
    tokio::time::sleep(DEAD).await;
    io::Error::new(io::ErrorKind::TimedOut, "the connection is dead")
}

fn refusal(status: u16) -> Response<Body> {
    let reason = match status {
        403 => "Forbidden",
        422 => "Invalid",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        _ => "InternalError",
    };
    let text = format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{status},"reason":"{reason}","message":"{reason}"}}"#
    );
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Sends a request of the simulator itself, without faults. Returns the status and the body.
pub(crate) async fn call(
    server: &Transport,
    method: Method,
    path: &str,
    content: &'static str,
    body: Vec<u8>,
) -> io::Result<(u16, Bytes)> {
    let uri = path.parse::<Uri>().map_err(io::Error::other)?;
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    let headers = request.headers_mut();
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
    let response = server.clone().oneshot(request).await.map_err(io::Error::other)?;
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    Ok((status, bytes))
}

type Changed = Pin<Box<dyn Future<Output = ()> + Send>>;

fn changed(mut counter: watch::Receiver<u64>) -> Changed {
    Box::pin(async move {
        if counter.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// The body of a response on its way.
struct Wire {
    body: Body,
    network: Network,
    cuts: Changed,
    hangs: Changed,
    /// When it is silent: the time at which that is noticed.
    silent: Option<Pin<Box<Sleep>>>,
    /// A frame that is late.
    held: Option<(Frame<Bytes>, Pin<Box<Sleep>>)>,
    /// The time until which all frames are held.
    until: Option<Instant>,
    tap: Option<WatchTap>,
}

impl Wire {
    fn deliver(&mut self, mut frame: Frame<Bytes>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(data) = frame.data_ref().filter(|data| !data.is_empty()) {
            let mut state = self.network.state();
            if std::mem::take(&mut state.cuts_inside) {
                frame = Frame::data(data.slice(..state.random.usize(..data.len())));
                // The next part is the end of the connection.
                self.cuts = Box::pin(std::future::ready(()));
            }
        }
        if let (Some(tap), Some(data)) = (&mut self.tap, frame.data_ref()) {
            tap.frame(data);
        }
        Poll::Ready(Some(Ok(frame)))
    }
}

impl http_body::Body for Wire {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = &mut *self;
        if this.cuts.as_mut().poll(cx).is_ready() {
            this.cuts = Box::pin(std::future::pending());
            return Poll::Ready(Some(Err(reset())));
        }
        if this.silent.is_none() && this.hangs.as_mut().poll(cx).is_ready() {
            this.silent = Some(Box::pin(tokio::time::sleep(DEAD)));
        }
        if let Some(silent) = &mut this.silent {
            ready!(silent.as_mut().poll(cx));
            this.silent = Some(Box::pin(tokio::time::sleep(DEAD)));
            return Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::TimedOut, "the connection is dead"))));
        }
        if let Some((_, sleep)) = &mut this.held {
            ready!(sleep.as_mut().poll(cx));
            return match this.held.take() {
                Some((frame, _)) => this.deliver(frame),
                None => Poll::Pending,
            };
        }
        let frame = match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
            Some(Ok(frame)) => frame,
            other => return Poll::Ready(other.map(|frame| frame.map_err(io::Error::other))),
        };
        let lag = this.network.state().lag;
        let due = this.until.unwrap_or_else(Instant::now).max(Instant::now() + lag);
        if due <= Instant::now() {
            return this.deliver(frame);
        }
        let mut sleep = Box::pin(tokio::time::sleep_until(due));
        if sleep.as_mut().poll(cx).is_ready() {
            return this.deliver(frame);
        }
        this.held = Some((frame, sleep));
        Poll::Pending
    }
}

/// The service of a process that sends its requests over the network.
pub fn service(
    network: &Network,
    servers: &Arc<[Transport]>,
) -> impl Service<Request<Body>, Response = Response<Body>, Error = io::Error, Future: Send + 'static>
+ Clone
+ Send
+ Sync
+ 'static
+ use<> {
    let (network, servers) = (network.clone(), Arc::clone(servers));
    tower::service_fn(move |request| network.clone().send(Arc::clone(&servers), request))
}
