//! One connection of the webhook server, and the state that all connections share.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{CONNECTION, CONTENT_LENGTH, RETRY_AFTER};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::webhook::WebhookOptions;
use crate::webhook::hook::{Hook, only_post, plain, too_large};

/// How long an HTTP/2 client may take to answer a ping.
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// The flow-control windows of a request and of a connection.
const STREAM_WINDOW: u32 = 64 << 10;
const CONNECTION_WINDOW: u32 = 256 << 10;
/// The largest head of a request.
const MAX_HEAD: usize = 64 << 10;
/// How long an idle connection may take to shut down.
const GOODBYE: Duration = Duration::from_secs(1);

/// The state that the connections of a server share.
pub(crate) struct Connections {
    hooks: BTreeMap<String, Hook>,
    options: WebhookOptions,
    /// The bytes that are left for reviews.
    memory: Arc<Semaphore>,
}

impl Connections {
    pub(crate) fn new(hooks: BTreeMap<String, Hook>, options: WebhookOptions) -> Self {
        let memory = options.memory.max(options.max_body).min(Semaphore::MAX_PERMITS);
        Self { hooks, options, memory: Arc::new(Semaphore::new(memory)) }
    }

    /// Serves a connection until one side ends it, until it times out, or until the token is cancelled and the requests in
    /// progress have ended.
    pub(crate) async fn serve<S>(
        self: Arc<Self>,
        stream: S,
        acceptor: TlsAcceptor,
        activity: Activity,
        stop: CancellationToken,
    ) where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let begin = later(Instant::now(), self.options.begin_timeout);
        let stream = match tokio::time::timeout_at(begin, acceptor.accept(stream)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => return tracing::debug!("TLS handshake timed out"),
        };
        // The handshake has negotiated the protocol: there is no need to guess it from the first bytes.
        let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let (shared, requests) = (Arc::clone(&self), activity.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let (shared, busy) = (Arc::clone(&shared), requests.begin());
            async move {
                let response = shared.answer(request, &busy).await;
                drop(busy);
                Ok::<_, Infallible>(response)
            }
        });
        let stream = TokioIo::new(stream);
        let idle = activity.idle(begin, self.options.idle_timeout);
        if http2 {
            let mut builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            builder
                .timer(TokioTimer::new())
                .max_concurrent_streams(self.options.max_streams)
                .initial_stream_window_size(STREAM_WINDOW)
                .initial_connection_window_size(CONNECTION_WINDOW)
                .max_header_list_size(u32::try_from(MAX_HEAD).unwrap_or(u32::MAX))
                .keep_alive_interval(self.options.keep_alive)
                .keep_alive_timeout(KEEP_ALIVE_TIMEOUT);
            let connection = builder.serve_connection(stream, service);
            tokio::pin!(connection);
            let cut = tokio::select! {
                served = connection.as_mut() => return log(served),
                () = idle => true,
                () = stop.cancelled() => false,
            };
            connection.as_mut().graceful_shutdown();
            end(connection, cut).await;
        } else {
            let mut builder = hyper::server::conn::http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(MAX_HEAD);
            let connection = builder.serve_connection(stream, service);
            tokio::pin!(connection);
            let cut = tokio::select! {
                served = connection.as_mut() => return log(served),
                () = idle => true,
                () = stop.cancelled() => false,
            };
            connection.as_mut().graceful_shutdown();
            end(connection, cut).await;
        }
    }

    async fn answer(&self, request: Request<Incoming>, busy: &Busy) -> Response<Full<Bytes>> {
        let Some(hook) = self.hooks.get(request.uri().path()) else {
            return plain(StatusCode::NOT_FOUND, "no webhook has this path");
        };
        if request.method() != Method::POST {
            return only_post();
        }
        // Within the time of a body: the keys may have to be fetched.
        let authenticating =
            tokio::time::timeout(self.options.body_timeout, hook.authenticate(request.headers()));
        let caller = match authenticating.await {
            Ok(Ok(caller)) => caller,
            Ok(Err(refused)) => return refused,
            Err(_) => {
                return plain(StatusCode::GATEWAY_TIMEOUT, "the caller could not be authenticated in time");
            }
        };
        let limit = self.options.max_body;
        let length =
            request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > limit) {
            return too_large(limit);
        }
        let mut held = Held { memory: Arc::clone(&self.memory), permits: None };
        let read = tokio::time::timeout(self.options.body_timeout, held.read(request.into_body(), limit));
        let body = match read.await {
            Ok(Ok(body)) => body,
            Ok(Err(refused)) => return refused,
            Err(_) => {
                let waiting = self.memory.available_permits() == 0;
                return if waiting { too_many() } else { late() };
            }
        };
        busy.arrived();
        // The memory of the review is released only when the response is complete.
        match tokio::time::timeout(self.options.answer_timeout, hook.respond(caller.as_ref(), body)).await {
            Ok(response) => response,
            Err(_) => plain(StatusCode::GATEWAY_TIMEOUT, "the handler of the webhook timed out"),
        }
    }
}

/// The memory of a review: as much as has arrived.
struct Held {
    memory: Arc<Semaphore>,
    permits: Option<OwnedSemaphorePermit>,
}

impl Held {
    async fn read(
        &mut self,
        mut body: impl Body<Data = Bytes, Error = hyper::Error> + Unpin,
        limit: usize,
    ) -> Result<Bytes, Response<Full<Bytes>>> {
        let mut read = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| {
                plain(StatusCode::BAD_REQUEST, &format!("the body can't be read: {error}"))
            })?;
            let Ok(data) = frame.into_data() else { continue };
            if read.len() + data.len() > limit {
                return Err(too_large(limit));
            }
            self.take(data.len()).await?;
            read.extend_from_slice(&data);
        }
        Ok(read.freeze())
    }

    /// Waits for memory. Meanwhile no more of the body is read: backpressure for the client.
    async fn take(&mut self, bytes: usize) -> Result<(), Response<Full<Bytes>>> {
        let count = u32::try_from(bytes).map_err(|_| too_many())?;
        let more = Arc::clone(&self.memory).acquire_many_owned(count).await.map_err(|_| too_many())?;
        match &mut self.permits {
            Some(permits) => permits.merge(more),
            permits => *permits = Some(more),
        }
        Ok(())
    }
}

fn too_many() -> Response<Full<Bytes>> {
    let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, "too many reviews at once");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

fn late() -> Response<Full<Bytes>> {
    let mut response = plain(StatusCode::REQUEST_TIMEOUT, "the review did not arrive in time");
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The activity of a connection: the requests in progress, and the end of the last one.
#[derive(Clone)]
pub(crate) struct Activity {
    state: Arc<watch::Sender<Doing>>,
    /// Notified when a connection may have become one that can be closed for another.
    released: Arc<Notify>,
}

#[derive(Clone, Copy)]
struct Doing {
    /// Whether a request has begun.
    begun: bool,
    requests: usize,
    /// Those whose review has arrived.
    arrived: usize,
    since: Instant,
}

/// A request in progress.
struct Busy {
    activity: Activity,
    arrived: AtomicBool,
}

impl Activity {
    pub(crate) fn new(released: Arc<Notify>) -> Self {
        let doing = Doing { begun: false, requests: 0, arrived: 0, since: Instant::now() };
        Self { state: Arc::new(watch::channel(doing).0), released }
    }

    /// Since when the connection has had no review to answer: since it was opened, or since the last response. To make room, the
    /// connection with the earliest time is closed. `None` while a review is being answered.
    pub(crate) fn expendable(&self) -> Option<Instant> {
        let doing = *self.state.borrow();
        (doing.arrived == 0).then_some(doing.since)
    }

    fn begin(&self) -> Busy {
        self.state.send_modify(|doing| {
            *doing = Doing { begun: true, requests: doing.requests + 1, ..*doing };
        });
        Busy { activity: self.clone(), arrived: AtomicBool::new(false) }
    }

    /// Completes when no request has begun by `first`, or when none was in progress for `timeout`.
    fn idle(&self, first: Instant, timeout: Duration) -> impl Future<Output = ()> + use<> {
        let mut doing = self.state.subscribe();
        async move {
            loop {
                let now = *doing.borrow_and_update();
                let deadline = match now.requests {
                    0 if !now.begun => Some(first),
                    0 => Some(later(now.since, timeout)),
                    _ => None,
                };
                let elapsed = async {
                    match deadline {
                        Some(deadline) => tokio::time::sleep_until(deadline).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    // A request that begins at the last moment keeps the connection.
                    biased;
                    changed = doing.changed() => if changed.is_err() { return },
                    () = elapsed => return,
                }
            }
        }
    }
}

impl Busy {
    /// The whole review has arrived: from now on the connection is not closed for another.
    fn arrived(&self) {
        if !self.arrived.swap(true, Ordering::Relaxed) {
            self.activity.state.send_modify(|doing| doing.arrived += 1);
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let arrived = usize::from(*self.arrived.get_mut());
        self.activity.state.send_modify(|doing| {
            let (requests, arrived) = (doing.requests - 1, doing.arrived - arrived);
            *doing = Doing { begun: true, requests, arrived, since: Instant::now() };
        });
        self.activity.released.notify_one();
    }
}

/// The instant after this time. Times are limited to ten years, which the clock can represent.
fn later(since: Instant, time: Duration) -> Instant {
    since + time.min(Duration::from_hours(24 * 3650))
}

/// Shuts down a connection. An idle one has no request in progress, and gets a short timeout.
async fn end(connection: impl Future<Output = hyper::Result<()>>, cut: bool) {
    if !cut {
        return log(connection.await);
    }
    if let Ok(served) = tokio::time::timeout(GOODBYE, connection).await {
        log(served);
    } else {
        tracing::debug!("closed an idle connection");
    }
}

fn log(served: hyper::Result<()>) {
    if let Err(error) = served {
        tracing::debug!(%error, "connection failed");
    }
}

#[cfg(test)]
mod tests;
