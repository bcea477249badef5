//! [`RequestDebug`]: reports requests and responses, as `kubectl -v=6` to `-v=10` does.

use std::fmt;
use std::fmt::Write as _;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode, header};
use http_body::{Frame, SizeHint};
use tokio::time::Instant;
use tower::{Layer, Service};

use super::{Body, TransportError};

/// A layer that reports each request and its response, for people who look for a fault.
///
/// | level | reports |
/// |---|---|
/// | 0 to 5 | nothing |
/// | 6 | verb, URL, status and time |
/// | 7 | and the headers of the request |
/// | 8 | and the headers of the response, and up to 1 KiB of each body |
/// | 9 | and a `curl` command; up to 10 KiB of each body |
/// | 10 and above | and whole bodies, in parts of up to 64 KiB |
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use client_rs_transport::http::{Body, BoxError, RequestDebug, Target, Transport};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let service = tower::service_fn(|_: http::Request<Body>| async { Ok::<_, BoxError>(http::Response::new(Body::from("ok"))) });
/// # let transport = Transport::from_service(Target::from_uri(&"https://k8s.example".parse()?)?, service);
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let log = lines.clone();
/// let transport = transport.layer(RequestDebug::new(6, move |text| log.lock().unwrap().push(text.to_owned())));
/// transport.oneshot(http::Request::get("https://k8s.example/version").body(Body::empty())?).await?;
/// assert_eq!(*lines.lock().unwrap(), ["GET https://k8s.example/version 200 OK in 0 milliseconds"]);
/// # Ok(())
/// # }
/// ```
///
/// - The function gets one text per call, of one or several lines without a final newline. It must not block. It is called on the task of the request.
/// - Credentials in headers are masked. Bodies of secrets and of tokens are left out, at every level. Other bodies are shown as they are: they may
///   contain what their authors put there.
/// - A body is reported when it has ended or was dropped; that of a watch, at the end of the watch. From level 10, it is reported each time
///   that 64 KiB have arrived, and the rest at its end. At most the part that is shown next is kept in memory.
#[derive(Clone)]
pub struct RequestDebug {
    level: u8,
    report: Report,
}

type Report = Arc<dyn Fn(&str) + Send + Sync>;

impl RequestDebug {
    /// Makes a layer with a level, and a function that gets the texts.
    pub fn new(level: u8, report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { level, report: Arc::new(report) }
    }

    /// The number of bytes of a body to keep and to show at once.
    fn body_limit(&self) -> usize {
        match self.level {
            0..=7 => 0,
            8 => 1 << 10,
            9 => 10 << 10,
            _ => 64 << 10,
        }
    }

    /// Whether everything is shown, in parts of the limit, and not only the first part.
    fn in_parts(&self) -> bool {
        self.level >= 10
    }

    fn before(&self, request: &Request<Body>) {
        if self.level < 7 {
            return;
        }
        if self.level >= 9 {
            (self.report)(&curl(request));
        }
        let mut text = format!("{} {}\nRequest Headers:", request.method(), request.uri());
        headers(request.headers(), &mut text);
        (self.report)(&text);
        if let Some(body) = request.body().replayable().filter(|body| self.level >= 8 && !body.is_empty()) {
            let mut seen = Seen::new("Request", is_secret(request.uri().path()), self);
            seen.take(&body);
        }
    }

    fn after(&self, call: &str, started: Instant, result: &Result<Response<Body>, TransportError>) {
        let took = started.elapsed().as_millis();
        let status = match result {
            Ok(response) => status_text(response.status()),
            Err(error) => format!("failed: {error}"),
        };
        let text = if self.level == 6 {
            format!("{call} {status} in {took} milliseconds")
        } else {
            let mut text = format!("Response Status: {status} in {took} milliseconds");
            if let (true, Ok(response)) = (self.level >= 8, result) {
                text.push_str("\nResponse Headers:");
                headers(response.headers(), &mut text);
            }
            text
        };
        (self.report)(&text);
    }
}

fn status_text(status: StatusCode) -> String {
    format!("{} {}", status.as_str(), status.canonical_reason().unwrap_or_default()).trim_end().to_owned()
}

fn headers(headers: &HeaderMap, text: &mut String) {
    for (name, value) in headers {
        let _ = write!(text, "\n    {name}: {}", shown(name, value));
    }
}

/// The value of a header, or a placeholder for a credential.
fn shown(name: &header::HeaderName, value: &header::HeaderValue) -> String {
    let text = String::from_utf8_lossy(value.as_bytes());
    let is_credential = value.is_sensitive()
        || [header::AUTHORIZATION, header::PROXY_AUTHORIZATION, header::COOKIE, header::SET_COOKIE]
            .contains(name)
        || name == header::SEC_WEBSOCKET_PROTOCOL;
    match text.split_once(' ') {
        Some((scheme, _)) if is_credential && *name == header::AUTHORIZATION => format!("{scheme} <masked>"),
        _ if is_credential => "<masked>".to_owned(),
        _ => text.into_owned(),
    }
}

/// Whether the objects of a path are credentials: secrets, tokens and reviews of tokens.
fn is_secret(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "secrets" | "token" | "tokenreviews"))
}

/// A command that sends the request again. The credential is masked, and the body is left out.
fn curl(request: &Request<Body>) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let mut text = format!("curl -v -X{}", request.method());
    for (name, value) in request.headers() {
        let _ = write!(text, " -H {}", quoted(&format!("{name}: {}", shown(name, value))));
    }
    let _ = write!(text, " {}", quoted(&request.uri().to_string()));
    text
}

impl<S> Layer<S> for RequestDebug {
    type Service = Debugged<S>;

    fn layer(&self, inner: S) -> Debugged<S> {
        Debugged { inner, debug: self.clone() }
    }
}

/// The service of a [`RequestDebug`].
#[derive(Clone, Debug)]
pub struct Debugged<S> {
    inner: S,
    debug: RequestDebug,
}

impl<S> Service<Request<Body>> for Debugged<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = TransportError>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let debug = self.debug.clone();
        if debug.level < 6 {
            return Box::pin(self.inner.call(request));
        }
        debug.before(&request);
        let call = format!("{} {}", request.method(), request.uri());
        let secret = is_secret(request.uri().path());
        let started = Instant::now();
        let sent = self.inner.call(request);
        Box::pin(async move {
            let result = sent.await;
            debug.after(&call, started, &result);
            let response = result?;
            // An upgraded connection has no body, and keeps its own.
            if debug.level < 8 || response.status() == StatusCode::SWITCHING_PROTOCOLS {
                return Ok(response);
            }
            let seen = Seen::new("Response", secret, &debug);
            Ok(response.map(|body| {
                let limit = body.max_collected();
                Body::new(Tee { body, seen }).with_max_collected(limit)
            }))
        })
    }
}

/// The part of a body that is reported next: when it is full, or when the body is dropped.
struct Seen {
    of: &'static str,
    secret: bool,
    part: Vec<u8>,
    /// The bytes of the parts that were reported.
    reported: usize,
    total: usize,
    limit: usize,
    in_parts: bool,
    report: Report,
}

impl Seen {
    fn new(of: &'static str, secret: bool, debug: &RequestDebug) -> Self {
        let limit = if secret { 0 } else { debug.body_limit() };
        let (in_parts, report) = (debug.in_parts() && !secret, debug.report.clone());
        Self { of, secret, part: Vec::new(), reported: 0, total: 0, limit, in_parts, report }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        self.total += bytes.len();
        loop {
            let (now, later) = bytes.split_at(bytes.len().min(self.limit - self.part.len()));
            self.part.extend_from_slice(now);
            if later.is_empty() || !self.in_parts {
                return;
            }
            self.report_part();
            bytes = later;
        }
    }

    /// Reports a part that is full. A character that is not complete yet stays for the next part. Bytes that are not text are only counted from here on.
    fn report_part(&mut self) {
        let end = match std::str::from_utf8(&self.part) {
            Ok(_) => self.part.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => {
                (self.limit, self.in_parts) = (self.part.len(), false);
                return;
            }
        };
        let text = format!("{}{}", self.head(), String::from_utf8_lossy(&self.part[..end]));
        (self.report)(&text);
        self.part.drain(..end);
        self.reported += end;
    }

    fn head(&self) -> String {
        format!("{} Body{}: ", self.of, if self.reported == 0 { "" } else { ", continued" })
    }
}

impl Drop for Seen {
    fn drop(&mut self) {
        let (head, total) = (self.head(), self.total - self.reported);
        if total == 0 {
            return;
        }
        let text = match std::str::from_utf8(&self.part) {
            _ if self.secret => format!("{head}<left out: {total} bytes that may be secret>"),
            Ok(text) if self.part.len() == total => format!("{head}{}", text.trim_end()),
            Ok(text) => format!("{head}{text} [truncated {} bytes]", total - self.part.len()),
            // Cut inside a character.
            Err(error) if self.part.len() < total && error.error_len().is_none() => {
                let text = String::from_utf8_lossy(&self.part[..error.valid_up_to()]);
                format!("{head}{text} [truncated {} bytes]", total - error.valid_up_to())
            }
            Err(_) => format!("{head}<{total} bytes that are not text>"),
        };
        (self.report)(&text);
    }
}

/// A body whose bytes are reported.
struct Tee {
    body: Body,
    seen: Seen,
}

impl http_body::Body for Tee {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.seen.take(data);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl fmt::Debug for RequestDebug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestDebug").field("level", &self.level).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tower::ServiceExt as _;

    use super::*;
    use crate::http::{Target, Transport};

    /// The texts for one request with a token and a body, at a level.
    async fn texts(level: u8, path: &str, sent: &str, answer: Vec<u8>) -> Vec<String> {
        let service = tower::service_fn(move |_: Request<Body>| {
            let body = Body::from(answer.clone());
            async move {
                tokio::time::sleep(std::time::Duration::from_millis(7)).await;
                let response = Response::builder().status(201).header("audit-id", "4711");
                Ok::<_, TransportError>(response.header("set-cookie", "s3cret").body(body).unwrap())
            }
        });
        let target = Target::from_uri(&"https://k8s.example".parse().unwrap()).unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log = lines.clone();
        let transport = Transport::from_service(target, service)
            .layer(RequestDebug::new(level, move |text| log.lock().unwrap().push(text.to_owned())));
        let request = Request::post(format!("https://k8s.example{path}"))
            .header("authorization", "Bearer s3cret")
            .header("accept", "application/json")
            .body(Body::from(sent.to_owned()));
        let response = transport.oneshot(request.unwrap()).await.unwrap();
        response.into_body().bytes().await.unwrap();
        Arc::try_unwrap(lines).unwrap().into_inner().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn each_level_reports_more() {
        let text = async |level| texts(level, "/api/v1/pods", "{}", b"{\"a\":1}\n".to_vec()).await;
        assert!(text(0).await.is_empty() && text(5).await.is_empty());
        assert_eq!(text(6).await, ["POST https://k8s.example/api/v1/pods 201 Created in 7 milliseconds"]);
        let headers = "POST https://k8s.example/api/v1/pods\nRequest Headers:\n    authorization: Bearer <masked>\n    \
                       accept: application/json";
        let status = "Response Status: 201 Created in 7 milliseconds";
        assert_eq!(text(7).await, [headers, status]);
        let all = format!("{status}\nResponse Headers:\n    audit-id: 4711\n    set-cookie: <masked>");
        let eight = [headers, "Request Body: {}", &all, r#"Response Body: {"a":1}"#];
        assert_eq!(text(8).await, eight);
        let curl = "curl -v -XPOST -H 'authorization: Bearer <masked>' -H 'accept: application/json' \
                    'https://k8s.example/api/v1/pods'";
        for level in [9, 10, 255] {
            assert_eq!(text(level).await, [&[curl], &eight[..]].concat(), "{level}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn long_bodies_are_cut_and_binary_ones_counted() {
        let last = async |level, answer: Vec<u8>| texts(level, "/", "", answer).await.pop().unwrap();
        let long = "é".repeat(20_000).into_bytes();
        assert_eq!(
            last(8, long.clone()).await,
            format!("Response Body: {} [truncated 38976 bytes]", "é".repeat(512))
        );
        assert!(last(9, long.clone()).await.ends_with("[truncated 29760 bytes]"));
        assert_eq!(last(10, long).await.len(), "Response Body: ".len() + 40_000);
        // A character of two bytes at the limit is not cut.
        let odd = [b"x".to_vec(), "é".repeat(600).into_bytes()].concat();
        assert!(last(8, odd).await.ends_with("é [truncated 178 bytes]"));
        assert_eq!(last(8, vec![0xff; 50]).await, "Response Body: <50 bytes that are not text>");
    }

    #[test]
    fn a_body_without_an_end_is_reported_in_parts_of_a_limited_size() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log = lines.clone();
        let debug = RequestDebug::new(10, move |text| log.lock().unwrap().push(text.to_owned()));
        let mut watch = Seen::new("Response", false, &debug);
        // The limit is inside a character.
        let event = format!("x{}\n", "é".repeat(49_999));
        for _ in 0..100 {
            watch.take(event.as_bytes());
            assert!(watch.part.len() <= 64 << 10 && watch.part.capacity() <= 128 << 10);
        }
        assert_eq!(lines.lock().unwrap().len(), event.len() * 100 / (64 << 10));
        drop(watch);
        let mut lines = std::mem::take(&mut *lines.lock().unwrap());
        assert!(lines.iter().all(|line| line.len() < 65 << 10));
        let first = lines.remove(0);
        let rest = lines.iter().map(|line| line.strip_prefix("Response Body, continued: ").unwrap());
        let whole =
            rest.fold(first.strip_prefix("Response Body: ").unwrap().to_owned(), |whole, part| whole + part);
        assert_eq!(whole, event.repeat(100).trim_end());
    }

    #[test]
    fn a_long_body_that_is_not_text_is_counted() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log = lines.clone();
        let debug = RequestDebug::new(10, move |text| log.lock().unwrap().push(text.to_owned()));
        let mut body = Seen::new("Response", false, &debug);
        for _ in 0..100 {
            body.take(&[0xff; 10_000]);
            assert!(body.part.len() <= 64 << 10);
        }
        drop(body);
        assert_eq!(*lines.lock().unwrap(), ["Response Body: <1000000 bytes that are not text>"]);
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_secret_is_reported_at_any_level() {
        for path in [
            "/api/v1/namespaces/a/secrets",
            "/api/v1/namespaces/a/secrets/s?watch=true",
            "/api/v1/namespaces/a/serviceaccounts/me/token",
            "/apis/authentication.k8s.io/v1/tokenreviews",
        ] {
            for level in 6..=11 {
                let texts = texts(level, path, "s3cret", b"s3cret".to_vec()).await.join("\n");
                assert!(!texts.contains("s3cret"), "{level}: {texts}");
                assert_eq!(
                    level >= 8,
                    texts.contains("Response Body: <left out: 6 bytes that may be secret>")
                );
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn failures_are_reported() {
        let service = tower::service_fn(|_: Request<Body>| async {
            Err::<Response<Body>, _>(TransportError::Other("no route".into()))
        });
        let target = Target::from_uri(&"https://k8s.example".parse().unwrap()).unwrap();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let log = lines.clone();
        let transport = Transport::from_service(target, service)
            .layer(RequestDebug::new(6, move |text| log.lock().unwrap().push(text.to_owned())));
        let error = transport.oneshot(Request::get("/x").body(Body::empty()).unwrap()).await.unwrap_err();
        assert_eq!(*lines.lock().unwrap(), [format!("GET /x failed: {error} in 0 milliseconds")]);
    }
}
