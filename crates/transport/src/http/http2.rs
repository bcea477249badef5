//! HTTP/2 connections.
//!
//! One task drives a connection, and a request has none of its own: its head and its body are queued together, so that they leave
//! in one write, and the caller polls the response itself.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{Ping, PingPong, Reason, RecvStream, SendStream};
use http::header::{
    CONNECTION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, TE, TRANSFER_ENCODING, UPGRADE,
};
use http::{Method, Request, Response};
use http_body::{Body as _, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::connection::SendError;
use super::options::CONNECTION_WINDOW;
use super::{Body, BoxError, HttpOptions};
use crate::task;

/// The largest header block of a response.
const MAX_HEADERS: u32 = 16 * 1024;
/// How many bytes of a streamed request body may wait for the connection.
const SEND_BUFFER: usize = 1024 * 1024;

/// Sends requests on a connection.
#[derive(Clone)]
pub(super) struct Http2 {
    requests: SendRequest<Bytes>,
    health: Arc<Health>,
}

/// A request without a response. Dropping it cancels the request.
pub(super) struct Sent {
    response: ResponseFuture,
    upload: Upload,
    health: Arc<Health>,
}

/// The time of the last read of a connection.
#[derive(Debug)]
pub(super) struct LastRead {
    start: Instant,
    milliseconds: AtomicU64,
}

/// The body of a response.
pub(super) struct Http2Body {
    stream: RecvStream,
    /// The number of bytes to come, if the head says so.
    remaining: Option<u64>,
    data_ended: bool,
    health: Arc<Health>,
}

/// How a connection ended.
#[derive(Debug, Default)]
struct Health {
    timed_out: AtomicBool,
}

/// The task of a request body, which ends with its request.
struct Upload(Option<JoinHandle<()>>);

/// Opens a connection on a byte stream. The task that is returned drives it.
pub(super) async fn open<S>(
    stream: S,
    reads: Arc<LastRead>,
    options: &HttpOptions,
) -> Result<(Http2, JoinHandle<()>), h2::Error>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = h2::client::Builder::new();
    builder
        .initial_window_size(options.allowed_stream_window())
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_header_list_size(MAX_HEADERS)
        .max_send_buffer_size(SEND_BUFFER)
        .enable_push(false);
    let (requests, mut connection) = builder.handshake(stream).await?;
    let health = Arc::new(Health::default());
    let pings = connection.ping_pong().zip(options.read_idle_timeout);
    let (of_driver, limit) = (Arc::clone(&health), options.ping_timeout);
    let driver = task::spawn(async move {
        let silent = async move {
            match pings {
                Some((pings, interval)) => unanswered(pings, &reads, interval, limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            ended = &mut connection => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "HTTP/2 connection ended");
                }
            }
            () = silent => {
                tracing::debug!(after = ?limit, "HTTP/2 connection ended: a ping was not answered");
                // Before the connection is dropped: its requests end with that.
                of_driver.timed_out.store(true, Ordering::Release);
            }
        }
        drop(connection);
    });
    Ok((Http2 { requests, health }, driver))
}

/// Sends a ping whenever nothing was read for a while. Returns when one was not answered in time.
///
/// Reads show only that the server's bytes arrive. If requests do not reach it, the events of a watch may still come, and no
/// request on the connection would ever be answered. So there is a ping at least every second interval.
async fn unanswered(mut pings: PingPong, reads: &LastRead, interval: Duration, limit: Duration) {
    let mut proven = Instant::now();
    loop {
        let due = (reads.at() + interval).min(proven + 2 * interval);
        if Instant::now() < due {
            sleep_until(due).await;
            continue;
        }
        let (sent, mut answer) = (Instant::now(), pin!(pings.ping(Ping::opaque())));
        loop {
            // While bytes arrive, the answer may be behind them: on a slow network a lot of data is under way.
            let deadline = (reads.at().max(sent) + limit).min(sent + limit.max(4 * interval));
            match timeout_at(deadline, &mut answer).await {
                Ok(Ok(_)) => break,
                // The connection has ended.
                Ok(Err(_)) => std::future::pending().await,
                Err(_) if reads.at() + limit <= deadline || deadline >= sent + limit.max(4 * interval) => {
                    return;
                }
                Err(_) => {}
            }
        }
        proven = Instant::now();
    }
}

impl Http2 {
    /// Waits until the connection can take a request.
    pub(super) async fn ready(&mut self) -> Result<(), BoxError> {
        poll_fn(|cx| self.requests.poll_ready(cx)).await.map_err(|error| self.health.cause(error))
    }

    /// Sends a request. The connection must be [`ready`](Self::ready).
    pub(super) fn send(&mut self, request: Request<Body>) -> Result<Sent, SendError> {
        let (mut parts, body) = request.into_parts();
        prepare(&parts.method, &mut parts.headers, body.size_hint().exact());
        let ends = body.is_end_stream();
        let (response, mut stream) = match self.requests.send_request(Request::from_parts(parts, ()), ends) {
            Ok(sent) => sent,
            Err(error) => {
                let unsent = self.is_closed().then_some(body);
                return Err(SendError { error: self.health.cause(error), unsent });
            }
        };
        let mut upload = Upload(None);
        if !ends {
            match body.into_memory() {
                // If this fails, the response fails too, and says why.
                Ok(bytes) => drop(stream.send_data(bytes, true)),
                Err(body) => upload.0 = Some(task::spawn(send_stream(body, stream))),
            }
        }
        Ok(Sent { response, upload, health: Arc::clone(&self.health) })
    }

    /// Returns `true` if the connection accepts no more requests.
    pub(super) fn is_closed(&mut self) -> bool {
        matches!(self.requests.poll_ready(&mut Context::from_waker(Waker::noop())), Poll::Ready(Err(_)))
    }
}

impl Sent {
    /// Waits for the head of the response.
    pub(super) async fn head(mut self) -> Result<Response<Http2Body>, SendError> {
        let response = (&mut self.response).await;
        // The rest of the body is still sent.
        drop(self.upload.0.take());
        let (parts, stream) = match response {
            Ok(response) => response.into_parts(),
            Err(error) => return Err(SendError { error: self.health.cause(error), unsent: None }),
        };
        let remaining = if stream.is_end_stream() { Some(0) } else { content_length(&parts.headers) };
        let body = Http2Body { stream, remaining, data_ended: false, health: self.health };
        Ok(Response::from_parts(parts, body))
    }
}

impl LastRead {
    pub(super) fn now() -> Self {
        Self { start: Instant::now(), milliseconds: AtomicU64::new(0) }
    }

    pub(super) fn record(&self) {
        let passed = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.milliseconds.store(passed, Ordering::Relaxed);
    }

    fn at(&self) -> Instant {
        self.start + Duration::from_millis(self.milliseconds.load(Ordering::Relaxed))
    }
}

impl Health {
    /// The reason why a request failed.
    fn cause(&self, error: h2::Error) -> BoxError {
        if self.timed_out.load(Ordering::Acquire) {
            return io::Error::new(io::ErrorKind::TimedOut, "a ping was not answered").into();
        }
        error.into()
    }
}

impl http_body::Body for Http2Body {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if !self.data_ended {
            match ready!(self.stream.poll_data(cx)) {
                Some(Ok(data)) => {
                    // The stream may have been reset by now. Then the next poll says so.
                    let _ = self.stream.flow_control().release_capacity(data.len());
                    let length = u64::try_from(data.len()).unwrap_or(u64::MAX);
                    self.remaining = self.remaining.map(|remaining| remaining.saturating_sub(length));
                    return Poll::Ready(Some(Ok(Frame::data(data))));
                }
                // Also after a reset without an error: a server that does not want the rest of the request sends it after the
                // end of the response (RFC 9113, section 8.1), and then this is not reached. Before the end, bytes are missing.
                Some(Err(error)) => return Poll::Ready(Some(Err(self.health.cause(error)))),
                None => self.data_ended = true,
            }
        }
        match ready!(self.stream.poll_trailers(cx)) {
            Ok(trailers) => Poll::Ready(trailers.map(|trailers| Ok(Frame::trailers(trailers)))),
            Err(error) => Poll::Ready(Some(Err(self.health.cause(error)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.stream.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.remaining.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(task) = self.0.take() {
            task.abort();
        }
    }
}

/// Sends a body that is not in memory, as fast as the server reads it.
async fn send_stream(mut body: Body, mut stream: SendStream<Bytes>) {
    loop {
        let next = poll_fn(|cx| match stream.poll_reset(cx) {
            Poll::Ready(_) => Poll::Ready(Err(())),
            Poll::Pending => Pin::new(&mut body).poll_frame(cx).map(Ok),
        });
        let Ok(frame) = next.await else { return };
        let sent = match frame.map(|frame| frame.map(Frame::into_data)) {
            Some(Ok(Ok(data))) => send_data(&mut stream, data, body.is_end_stream()).await,
            Some(Ok(Err(frame))) => match frame.into_trailers() {
                Ok(trailers) => stream.send_trailers(trailers).map(|()| true),
                Err(_) => Ok(false),
            },
            None => stream.send_data(Bytes::new(), true).map(|()| true),
            Some(Err(error)) => {
                tracing::debug!(%error, "the body of a request failed");
                return stream.send_reset(Reason::INTERNAL_ERROR);
            }
        };
        // After an error, the response says why.
        if !matches!(sent, Ok(false)) {
            return;
        }
    }
}

/// Sends a part of a body when the server allows it. Returns whether it was the last one.
async fn send_data(stream: &mut SendStream<Bytes>, mut data: Bytes, last: bool) -> Result<bool, h2::Error> {
    while !data.is_empty() {
        stream.reserve_capacity(data.len());
        match poll_fn(|cx| stream.poll_capacity(cx)).await {
            Some(capacity) => {
                let part = data.split_to(capacity?.min(data.len()));
                let ends = last && data.is_empty();
                stream.send_data(part, ends)?;
            }
            // The stream has ended.
            None => return Ok(true),
        }
    }
    Ok(last)
}

/// Removes what HTTP/2 has no place for, and adds the length of the body.
fn prepare(method: &Method, headers: &mut HeaderMap, length: Option<u64>) {
    // A request rarely has any of them, and a look at its few names costs less than looking up each of these.
    if headers.keys().any(is_of_connection) {
        strip(headers);
    }
    let often_empty = matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::CONNECT);
    if let Some(length) = length.filter(|length| *length > 0 || !often_empty) {
        headers.entry(CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
}

/// The names of headers of one connection that have no constant.
const OTHERS: [HeaderName; 2] =
    [HeaderName::from_static("keep-alive"), HeaderName::from_static("proxy-connection")];

/// Whether a header is about one connection of HTTP/1.1.
fn is_of_connection(name: &HeaderName) -> bool {
    [CONNECTION, TRANSFER_ENCODING, UPGRADE, TE].contains(name) || OTHERS.contains(name)
}

/// Removes the headers that are about one connection.
fn strip(headers: &mut HeaderMap) {
    let named: Vec<String> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_owned())
        .collect();
    for name in &named {
        headers.remove(name.as_str());
    }
    for name in [CONNECTION, TRANSFER_ENCODING, UPGRADE] {
        headers.remove(name);
    }
    for name in OTHERS {
        headers.remove(name);
    }
    if headers.get(TE).is_some_and(|value| value != "trailers") {
        headers.remove(TE);
    }
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_no_headers_of_a_connection() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "x-mine, close"),
            ("x-mine", "1"),
            ("keep-alive", "5"),
            ("te", "gzip"),
            ("transfer-encoding", "chunked"),
            ("accept", "application/json"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        prepare(&Method::POST, &mut headers, Some(7));
        let left: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        assert_eq!(left, [("accept", "application/json"), ("content-length", "7")]);
    }

    #[test]
    fn an_empty_body_has_a_length_where_a_body_is_usual() {
        for (method, length, expected) in [
            (Method::GET, Some(0), None),
            (Method::DELETE, Some(0), None),
            (Method::DELETE, Some(2), Some("2")),
            (Method::POST, Some(0), Some("0")),
            (Method::POST, None, None),
        ] {
            let mut headers = HeaderMap::new();
            prepare(&method, &mut headers, length);
            let sent = headers.get(CONTENT_LENGTH).map(|value| value.to_str().unwrap());
            assert_eq!(sent, expected, "{method} {length:?}");
        }
    }
}
