//! The network between a process and the servers: a layer of the process's transport.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use client_rs_transport::http::{Body, Transport};
use fastrand::Rng;
use http::{Request, Response};
use http_body::Frame;
use tokio::sync::watch;
use tokio::time::Sleep;
use tower::{Service, ServiceExt as _};

/// How long a connection without a sign of life is kept: pings of HTTP/2 find it then.
const DEAD: Duration = Duration::from_secs(45);

/// The state of the network of one process.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "faults are independent of each other")]
pub struct State {
    /// Random numbers for latencies.
    pub random: Rng,
    /// Connections are refused.
    pub refuses: bool,
    /// Requests do not arrive.
    pub loses_requests: bool,
    /// Responses do not arrive.
    pub loses_responses: bool,
    /// The response to the next request does not arrive.
    pub loses_next: bool,
    /// Requests get this status.
    pub storm: Option<u16>,
    /// The time that an event takes.
    pub lag: Duration,
    /// The server of new requests.
    pub route: usize,
    /// The number of requests that were sent.
    pub requests: u64,
}

/// The network of one process.
#[derive(Clone, Debug)]
pub struct Network {
    state: Arc<Mutex<State>>,
    /// Counts the cuts of open responses.
    cuts: watch::Sender<u64>,
    /// Counts those after which they are silent.
    hangs: watch::Sender<u64>,
}

impl Network {
    /// Makes a network without faults.
    pub fn new(seed: u64) -> Self {
        let state = State {
            random: Rng::with_seed(seed),
            refuses: false,
            loses_requests: false,
            loses_responses: false,
            loses_next: false,
            storm: None,
            lag: Duration::ZERO,
            route: 0,
            requests: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), cuts: watch::Sender::new(0), hangs: watch::Sender::new(0) }
    }

    /// Returns its state.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all faults, except those of responses that are open.
    pub fn heal(&self) {
        let mut state = self.state();
        (state.refuses, state.loses_requests, state.loses_responses) = (false, false, false);
        (state.loses_next, state.storm, state.lag) = (false, None, Duration::ZERO);
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
    pub async fn send(
        self,
        servers: Arc<[Transport]>,
        request: Request<Body>,
    ) -> Result<Response<Body>, io::Error> {
        let (there, back, route) = {
            let mut state = self.state();
            state.requests += 1;
            let latency = |random: &mut Rng| Duration::from_millis(random.u64(1..12));
            (latency(&mut state.random), latency(&mut state.random), state.route % servers.len())
        };
        tokio::time::sleep(there).await;
        let (refuses, lost, storm) = {
            let state = self.state();
            (state.refuses, state.loses_requests, state.storm)
        };
        if refuses {
            return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"));
        }
        if lost {
            return Err(dead().await);
        }
        if let Some(status) = storm {
            return Ok(refusal(status));
        }
        let cuts = self.cuts.subscribe();
        let hangs = self.hangs.subscribe();
        let response = servers[route].clone().oneshot(request).await.map_err(io::Error::other)?;
        let lost = {
            let mut state = self.state();
            std::mem::take(&mut state.loses_next) || state.loses_responses
        };
        if lost {
            return Err(dead().await);
        }
        tokio::time::sleep(back).await;
        let (parts, body) = response.into_parts();
        let body = Wire {
            body,
            network: self,
            cuts: changed(cuts),
            hangs: changed(hangs),
            silent: None,
            held: None,
        };
        Ok(Response::from_parts(parts, Body::new(body)))
    }
}

async fn dead() -> io::Error {
    tokio::time::sleep(DEAD).await;
    io::Error::new(io::ErrorKind::TimedOut, "the connection is dead")
}

fn refusal(status: u16) -> Response<Body> {
    let reason = match status {
        403 => "Forbidden",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        _ => "InternalError",
    };
    let text = format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{status},"reason":"{reason}","message":"{reason}"}}"#
    );
    let mut response = Response::new(Body::from(text));
    *response.status_mut() =
        http::StatusCode::from_u16(status).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert("content-type", http::HeaderValue::from_static("application/json"));
    response
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
            return Poll::Ready(Some(Err(io::Error::new(
                io::ErrorKind::ConnectionReset,
                "connection reset",
            ))));
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
            let frame = this.held.take().map(|(frame, _)| Ok(frame));
            return Poll::Ready(frame);
        }
        let frame = match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
            Some(Ok(frame)) => frame,
            other => return Poll::Ready(other.map(|frame| frame.map_err(io::Error::other))),
        };
        let lag = this.network.state().lag;
        if lag.is_zero() {
            return Poll::Ready(Some(Ok(frame)));
        }
        let mut sleep = Box::pin(tokio::time::sleep(lag));
        if sleep.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Some(Ok(frame)));
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
