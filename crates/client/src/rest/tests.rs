//! A server that is a function.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use client_rs_api::core::v1::{ConfigMap, Pod, PodList};
use client_rs_machinery::meta::v1::{ListMeta, ObjectMeta, Status};
use client_rs_machinery::wire::{EventType, Format, Message, Payload, WatchEvent};
use client_rs_machinery::{Json, Object as _, RawExtension, StatusReason};
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{HeaderMap, Method, Response, StatusCode, Uri};
use http_body::Frame;
use tokio::time::Instant;

use super::*;
use crate::flow_control::{RateLimiter, TokenBucketLimiter};
use crate::metrics::RequestMetrics;
use crate::warning::WarningHandler;
use crate::{BodySource, Error, Request, RequestError, Verb};

/// What the server has heard.
#[derive(Clone, Debug)]
struct Heard {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

type Reply = Result<Response<Body>, TransportError>;

#[derive(Clone, Default)]
struct Server {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    heard: Arc<Mutex<Vec<Heard>>>,
    /// How long an answer takes.
    delay: Duration,
}

impl Server {
    fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: Arc::new(Mutex::new(replies.into_iter().collect())), ..Self::default() }
    }

    fn client(&self) -> RestClient {
        self.client_with(unlimited())
    }

    fn client_with(&self, options: RestClientOptions) -> RestClient {
        let server = self.clone();
        let service = tower::service_fn(move |request: http::Request<Body>| {
            let server = server.clone();
            async move {
                let (parts, body) = request.into_parts();
                let body = body.bytes().await?;
                tokio::time::sleep(server.delay).await;
                let http::request::Parts { method, uri, headers, .. } = parts;
                server.heard.lock().unwrap().push(Heard { method, uri, headers, body });
                let reply = server.replies.lock().unwrap().pop_front();
                reply.unwrap_or_else(|| Err(other("no more replies")))
            }
        });
        let url: Uri = "https://k8s.example:6443/base/".parse().unwrap();
        let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
        RestClient::new(&url, transport, options).unwrap()
    }

    fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

fn unlimited() -> RestClientOptions {
    RestClientOptions { limiter: None, url_backoff: None, ..RestClientOptions::default() }
}

fn other(text: &str) -> TransportError {
    TransportError::Other(text.to_owned().into())
}

/// A connection that was reset, as a dial sees it.
fn reset() -> TransportError {
    let error = Arc::new(std::io::Error::from(std::io::ErrorKind::ConnectionReset));
    client_rs_transport::http::ConnectError::Unreachable { target: "h:1".into(), error }.into()
}

#[allow(clippy::unnecessary_wraps)] // Others are errors.
fn reply(status: u16, content_type: &str, body: impl Into<Body>) -> Reply {
    let response = Response::builder().status(status).header("content-type", content_type);
    Ok(response.body(body.into()).unwrap())
}

fn json(status: u16, body: impl Into<Body>) -> Reply {
    reply(status, "application/json", body)
}

#[allow(clippy::unnecessary_wraps)] // Others are errors.
fn later(status: u16, seconds: u32) -> Reply {
    let response = Response::builder().status(status).header("retry-after", seconds.to_string());
    Ok(response.body(Body::from("busy")).unwrap())
}

/// A body in chunks; `pending`: it does not end.
fn chunks(bytes: &[u8], size: usize, pending: bool) -> Body {
    Body::new(Chunks {
        left: bytes.chunks(size).map(Bytes::copy_from_slice).collect(),
        pending,
        dropped: None,
    })
}

struct Chunks {
    left: VecDeque<Bytes>,
    pending: bool,
    dropped: Option<Arc<AtomicUsize>>,
}

impl http_body::Body for Chunks {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        match self.left.pop_front() {
            Some(chunk) => Poll::Ready(Some(Ok(Frame::data(chunk)))),
            None if self.pending => Poll::Pending,
            None => Poll::Ready(None),
        }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        if let Some(dropped) = &self.dropped {
            dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

fn pod(name: &str) -> Pod {
    let metadata = ObjectMeta {
        name: name.into(),
        namespace: "ns".into(),
        resource_version: "5".into(),
        ..ObjectMeta::EMPTY
    };
    Pod { metadata, ..Pod::default() }
}

fn get() -> Request {
    Request::get().of::<Pod>().namespace("ns").name("a")
}

fn list() -> Request {
    Request::get().of::<Pod>().namespace("ns")
}

fn failure(code: i32, reason: &str) -> Status {
    Status {
        status: "Failure".into(),
        code,
        reason: reason.into(),
        message: "no way".into(),
        ..Status::EMPTY
    }
}

#[tokio::test]
async fn t3_3_01_what_is_asked_for() {
    let ok = || json(200, pod("a").to_json());
    let server = Server::new([ok(), ok(), ok(), ok(), ok()]);
    server.client().send::<Pod>(get()).await.unwrap();
    server.client().send_raw(get()).await.unwrap();
    let options = RestClientOptions { content_type: Some("application/yaml".into()), ..unlimited() };
    server.client_with(options).send_raw(get()).await.unwrap();
    let options = RestClientOptions { accept: Some("application/json;q=1".into()), ..unlimited() };
    server.client_with(options.clone()).send::<Pod>(get()).await.unwrap();
    server.client_with(options).send::<Pod>(get().header(http::header::ACCEPT, "own")).await.unwrap();
    let asked: Vec<_> = server.heard().iter().map(|heard| heard.headers["accept"].clone()).collect();
    assert_eq!(
        asked,
        [
            "application/vnd.kubernetes.protobuf,application/json",
            "application/json, */*",
            "application/yaml, */*",
            "application/json;q=1",
            "own"
        ]
    );
    let heard = &server.heard()[0];
    assert_eq!(heard.uri, "https://k8s.example:6443/base/api/v1/namespaces/ns/pods/a");
    assert_eq!(
        (&heard.method, heard.headers["user-agent"].as_bytes()),
        (&Method::GET, b"client-rs".as_slice())
    );
}

#[tokio::test]
async fn t3_3_15_a_request_can_be_sent_again_with_its_body() {
    let server = Server::new([json(201, pod("a").to_json()), json(200, pod("a").to_json())]);
    let request = Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    let client = server.client();
    assert!(client.send_object::<Pod>(request.clone()).await.unwrap().1);
    assert!(!client.send_object::<Pod>(request).await.unwrap().1);
    for heard in server.heard() {
        assert_eq!(heard.headers["content-type"], "application/vnd.kubernetes.protobuf");
        assert_eq!(heard.body, Payload::encode(&pod("a"), Format::Protobuf));
    }
}

#[tokio::test(start_paused = true)]
async fn t3_4_01_busy_servers_are_asked_again_when_they_say() {
    let server = Server::new([later(429, 3), later(503, 2), json(200, pod("a").to_json())]);
    let start = Instant::now();
    assert_eq!(server.client().send::<Pod>(get()).await.unwrap(), pod("a"));
    assert_eq!(start.elapsed(), Duration::from_secs(5));
    // The server has not acted on what it was too busy for; of a 503 one can't know.
    let create = || Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    let server = Server::new([later(429, 1), json(201, pod("a").to_json())]);
    server.client().send::<Pod>(create()).await.unwrap();
    let bodies: Vec<_> = server.heard().into_iter().map(|heard| heard.body).collect();
    assert!(bodies.len() == 2 && bodies[0] == bodies[1] && !bodies[0].is_empty());
    let server = Server::new([later(503, 1), json(201, pod("a").to_json())]);
    let error = server.client().send::<Pod>(create()).await.unwrap_err();
    assert!(error.api().unwrap().is_service_unavailable(), "{error}");
    assert_eq!((server.heard().len(), error.retry_after()), (1, Some(Duration::from_secs(1))));
    let server = Server::new([reply(503, "text/plain", "no header")]);
    assert!(server.client().send::<Pod>(get()).await.is_err());
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn t3_4_02_a_lost_connection_is_retried_for_reads_only() {
    let server = Server::new([Err(reset()), json(200, pod("a").to_json())]);
    server.client().send::<Pod>(get()).await.unwrap();
    for verb in [Verb::Post, Verb::Put, Verb::Patch, Verb::Delete] {
        let server = Server::new([Err(reset()), json(200, pod("a").to_json())]);
        let error = server.client().send_raw(Request::new(verb).of::<Pod>()).await.unwrap_err();
        assert!(matches!(error, Error::Transport { .. }), "{error}");
        assert_eq!(server.heard().len(), 1, "{verb}");
    }
}

#[tokio::test(start_paused = true)]
async fn t3_4_03_each_retried_body_is_closed() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let busy = || {
        let left = [Bytes::from_static(b"busy")].into();
        let body = Chunks { left, pending: true, dropped: Some(Arc::clone(&dropped)) };
        let response = Response::builder().status(429).header("retry-after", "1");
        Ok(response.body(Body::new(body)).unwrap())
    };
    let server = Server::new([busy(), busy(), json(200, pod("a").to_json())]);
    server.client().send::<Pod>(get()).await.unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn t3_4_04_exactly_one_more_try_than_retries() {
    for (retries, tries) in [(None, 11), (Some(0), 1), (Some(2), 3)] {
        let server = Server::new((0..20).map(|_| later(429, 1)));
        let request = retries.map_or_else(get, |retries| get().max_retries(retries));
        let error = server.client().send::<Pod>(request).await.unwrap_err();
        assert!(error.api().unwrap().is_too_many_requests());
        assert_eq!(server.heard().len(), tries);
    }
}

/// Writes down who was asked what, in order.
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<Vec<String>>>);

impl Recorder {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

impl RateLimiter for Recorder {
    fn try_acquire(&self) -> bool {
        true
    }

    fn acquire(&self, _: Option<Duration>) -> Pin<Box<dyn Future<Output = bool> + Send + '_>> {
        self.write("limiter");
        Box::pin(std::future::ready(true))
    }

    fn qps(&self) -> f32 {
        1.0
    }
}

impl RequestMetrics for Recorder {
    fn result(&self, code: &str, verb: Verb, host: &str) {
        self.write(format!("result {code} {verb} {host}"));
    }

    fn retry(&self, code: &str, _: Verb, _: &str) {
        self.write(format!("retry {code}"));
    }

    fn latency(&self, _: Verb, _: &str, template: &str, _: Duration) {
        self.write(format!("latency {template}"));
    }

    fn throttled(&self, _: Verb, _: &str, _: &str, _: Duration) {
        self.write("throttled");
    }

    fn response_size(&self, _: Verb, _: &str, bytes: u64) {
        self.write(format!("bytes {bytes}"));
    }
}

#[tokio::test(start_paused = true)]
async fn t3_4_05_who_is_asked_in_which_order() {
    let recorder = Recorder::default();
    let options = || RestClientOptions {
        limiter: Some(Arc::new(recorder.clone())),
        metrics: Arc::new(recorder.clone()),
        ..unlimited()
    };
    let latency = "latency /base/api/v1/namespaces/{namespace}/pods/{name}";
    let server = Server::new([later(429, 1), Err(reset()), reply(200, "text/plain", "ok")]);
    server.client_with(options()).send_raw(get()).await.unwrap();
    assert_eq!(
        recorder.lines(),
        [
            "limiter",
            "throttled",
            latency,
            "result 429 GET k8s.example:6443",
            "limiter",
            "throttled",
            latency,
            "result <error> GET k8s.example:6443",
            "retry <error>",
            "limiter",
            "throttled",
            latency,
            "result 200 GET k8s.example:6443",
            "retry 200",
            "bytes 2"
        ]
    );
    let server = Server::new([later(429, 1), reply(200, "text/plain", "ok")]);
    server.client_with(options()).send_stream(get()).await.unwrap();
    assert_eq!(recorder.lines().iter().filter(|line| *line == "limiter").count(), 2);
    // The first try of a watch is not held back.
    let server = Server::new([later(429, 1), json(200, "")]);
    server.client_with(options()).watch::<Pod>(get(), DecodeOptions::default()).await.unwrap();
    assert_eq!(recorder.lines()[..3], [latency, "result 429 GET k8s.example:6443", "limiter"]);
}

#[tokio::test(start_paused = true)]
async fn t3_4_06_the_last_error_tells_of_the_one_before() {
    let server = Server::new([later(429, 1), Err(other("broken"))]);
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "GET https://k8s.example:6443/base/api/v1/namespaces/ns/pods/a failed: broken - error from a previous attempt: \
         429 Too Many Requests"
    );
    // Nothing is said twice.
    let server = Server::new((0..20).map(|_| Err(reset())));
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    assert!(matches!(&error, Error::Transport { previous: None, .. }), "{error}");
    assert_eq!(server.heard().len(), 11);
    // Time that runs out while waiting for the next try.
    let server = Server::new((0..20).map(|_| later(429, 60)));
    let error = server.client().send::<Pod>(get().timeout(Duration::from_secs(5))).await.unwrap_err();
    assert!(error.is_timeout() && error.to_string().contains("429"), "{error}");
}

#[tokio::test]
async fn t3_4_07_a_stream_is_sent_once() {
    let server = Server::new([later(429, 0), json(200, "{}")]);
    let request = Request::put().of::<Pod>().body(BodySource::stream(Body::from("stream")));
    let client = server.client();
    assert!(client.send_raw(request.clone()).await.unwrap_err().api().unwrap().is_too_many_requests());
    assert_eq!(server.heard()[0].body, "stream");
    let error = client.send_raw(request).await.unwrap_err();
    assert!(matches!(error, Error::Request(RequestError::BodyTaken)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn t3_4_09_time_that_runs_out_is_a_timeout_within_the_bound() {
    let slow = || Server { delay: Duration::from_mins(1), ..Server::new([json(200, "{}")]) };
    let start = Instant::now();
    let error = slow().client().send::<Pod>(get().timeout(Duration::from_secs(3))).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }) && start.elapsed() == Duration::from_secs(3), "{error}");
    let options = RestClientOptions { timeout: Some(Duration::from_secs(2)), ..unlimited() };
    let (server, start) = (slow(), Instant::now());
    let error = server.client_with(options.clone()).send::<Pod>(get()).await.unwrap_err();
    assert!(error.is_timeout() && start.elapsed() == Duration::from_secs(2), "{error}");
    // A body that does not end, of each kind.
    let endless = || json(200, chunks(b"{", 1, true));
    let client = Server::new([endless(), endless(), endless(), endless()]).client_with(options);
    let start = Instant::now();
    assert!(client.send::<Pod>(get()).await.unwrap_err().is_timeout());
    assert!(client.send_list::<Pod>(list()).await.unwrap_err().is_timeout());
    let error = client.send_stream(get()).await.unwrap().bytes().await.unwrap_err();
    assert!(error.to_string().contains("took longer"), "{error}");
    let mut watch = client.watch::<Pod>(list(), DecodeOptions::default()).await.unwrap();
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Timeout)));
    assert_eq!(start.elapsed(), Duration::from_secs(8));
}

#[tokio::test(start_paused = true)]
async fn t3_4_09_the_servers_timeout_is_told_for_calls_but_not_for_lists_and_watches() {
    let options = RestClientOptions { timeout: Some(Duration::from_secs(2)), ..unlimited() };
    let server = Server::new([json(200, "{}"), json(200, "{\"items\":[]}"), json(200, "")]);
    let client = server.client_with(options);
    client.send::<Pod>(get()).await.unwrap();
    client.send_list::<Pod>(list()).await.unwrap();
    client.watch::<Pod>(list(), DecodeOptions::default()).await.unwrap();
    let queries: Vec<_> = server.heard().iter().map(|heard| heard.uri.query().map(str::to_owned)).collect();
    assert_eq!(queries, [Some("timeout=2s".to_owned()), None, None]);
}

#[tokio::test(start_paused = true)]
async fn t3_4_11_parallel_requests_share_no_state() {
    let service = tower::service_fn({
        let tries: Arc<Mutex<std::collections::HashMap<String, u32>>> = Arc::default();
        move |request: http::Request<Body>| {
            let tries = Arc::clone(&tries);
            async move {
                let name = request.uri().path().rsplit('/').next().unwrap().to_owned();
                let count = {
                    let mut tries = tries.lock().unwrap();
                    let count = tries.entry(name.clone()).or_default();
                    *count += 1;
                    *count
                };
                if count < 4 { later(429, 1) } else { json(200, pod(&name).to_json()) }
            }
        }
    });
    let url: Uri = "http://h".parse().unwrap();
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    let client = RestClient::new(&url, transport, unlimited()).unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|n| {
            let client = client.clone();
            tokio::spawn(async move {
                client.send::<Pod>(Request::get().of::<Pod>().name(&format!("p{n}"))).await
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.await.unwrap().unwrap().name(), format!("p{n}"));
    }
}

#[tokio::test(start_paused = true)]
async fn requests_wait_for_the_limit_and_fail_when_it_leaves_no_room() {
    let limiter: Arc<dyn RateLimiter> = Arc::new(TokenBucketLimiter::new(1.0, 1));
    let options = RestClientOptions { limiter: Some(limiter), ..unlimited() };
    let server = Server::new((0..4).map(|_| json(200, "{}")));
    let client = server.client_with(options);
    let start = Instant::now();
    for _ in 0..3 {
        client.send::<Pod>(get()).await.unwrap();
    }
    assert_eq!(start.elapsed().as_millis(), 2000);
    let error = client.send::<Pod>(get().timeout(Duration::from_millis(100))).await.unwrap_err();
    assert!(matches!(error, Error::Throttled { .. }), "{error}");
    assert_eq!(start.elapsed().as_millis(), 2000);
}

#[tokio::test]
async fn t3_5_01_and_t3_5_02_answers_of_every_kind() {
    async fn asked(reply: Reply) -> Result<Pod, Error> {
        Server::new([reply]).client().send::<Pod>(get()).await
    }
    let protobuf = "application/vnd.kubernetes.protobuf";
    assert_eq!(asked(json(200, pod("a").to_json())).await.unwrap(), pod("a"));
    assert_eq!(
        asked(reply(200, protobuf, Payload::encode(&pod("a"), Format::Protobuf))).await.unwrap(),
        pod("a")
    );
    let told = |error: Error| error.api().unwrap().clone();
    for (content_type, body) in [
        ("application/json", failure(404, "NotFound").to_json()),
        (protobuf, Payload::encode(&failure(404, "NotFound"), Format::Protobuf)),
    ] {
        let error = told(asked(reply(404, content_type, body)).await.unwrap_err());
        assert!(error.is_not_found() && error.message() == "no way", "{error}");
        assert!(!error.is_unexpected_server_error());
    }
    // Not a Status: what can be said follows from the code.
    let error = told(asked(reply(403, "text/plain", "who are you")).await.unwrap_err());
    assert!(error.is_forbidden() && error.message().starts_with("who are you"), "{error}");
    let error = told(asked(json(409, "{}")).await.unwrap_err());
    assert!(error.is_conflict() && error.message().ends_with("(get pods a)"), "{error}");
    let error = told(asked(reply(502, "text/html", "<h1>bad gateway</h1>")).await.unwrap_err());
    assert!(error.is_internal_error() && error.is_unexpected_server_error(), "{error}");
    let error = told(asked(reply(500, "application/octet-stream", "\u{1}")).await.unwrap_err());
    assert!(error.message().contains("unknown"), "{error}");
    let error = asked(reply(200, "text/html", "<h1>log in</h1>")).await.unwrap_err();
    assert!(
        matches!(&error, Error::ContentType { content_type, .. } if content_type == "text/html"),
        "{error}"
    );
    assert!(matches!(asked(json(200, "")).await.unwrap_err(), Error::Empty { .. }));
    assert!(matches!(asked(json(200, "{")).await.unwrap_err(), Error::Decode { .. }));
    assert!(told(asked(json(302, "")).await.unwrap_err()).code() == 302);
    // Without a type, an answer is what was asked for first.
    let bare = Ok(Response::new(Body::from(Payload::encode(&pod("a"), Format::Protobuf))));
    assert_eq!(asked(bare).await.unwrap(), pod("a"));
    let accepted = Server::new([reply(202, "text/plain", "")]).client().send_raw(get()).await.unwrap();
    assert_eq!((accepted.status, accepted.body.len()), (StatusCode::ACCEPTED, 0));
}

#[tokio::test]
async fn t3_5_03_a_foreign_text_is_cut() {
    let server = Server::new([reply(500, "text/plain", "x".repeat(5000))]);
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    let cause = &error.api().unwrap().causes()[0];
    assert_eq!(cause.message.len(), 2048);
}

#[tokio::test(start_paused = true)]
async fn an_errors_body_that_does_not_end_hides_nothing() {
    let server = Server::new([
        reply(403, "text/plain", chunks(b"no", 1, true)),
        reply(404, "text/plain", chunks(&vec![0; 5 << 20], 1 << 16, true)),
    ]);
    let client = server.client();
    let error = client.send::<Pod>(get().timeout(Duration::from_secs(1))).await.unwrap_err();
    assert!(error.api().unwrap().is_forbidden(), "{error}");
    assert!(client.send::<Pod>(get()).await.unwrap_err().is_not_found());
}

#[tokio::test]
async fn t3_5_04_parameters_of_a_media_type_do_not_matter() {
    let server = Server::new([reply(200, "Application/JSON; charset=utf-8", pod("a").to_json())]);
    assert_eq!(server.client().send::<Pod>(get()).await.unwrap(), pod("a"));
}

#[tokio::test]
async fn t3_5_05_a_failure_in_a_200_is_an_error() {
    for format in [Format::Json, Format::Protobuf] {
        let body = Payload::encode(&failure(409, "Conflict"), format);
        let server = Server::new([
            reply(200, format.media_type(), body.clone()),
            reply(200, format.media_type(), body),
        ]);
        let error = server.client().send::<Pod>(get()).await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        // Whoever asks for a Status gets it.
        assert_eq!(server.client().send::<Status>(get()).await.unwrap().code, 409);
    }
}

#[derive(Debug, Default)]
struct Warnings(Mutex<Vec<String>>);

impl WarningHandler for Warnings {
    fn handle(&self, code: u16, agent: &str, text: &str) {
        self.0.lock().unwrap().push(format!("{code} {agent} {text}"));
    }
}

#[tokio::test]
async fn t3_5_06_warnings_come_with_every_kind_of_answer() {
    let warned = |status: u16| {
        let mut response = json(status, "{}").unwrap();
        response.headers_mut().append("warning", r#"299 - "old""#.parse().unwrap());
        response.headers_mut().append("warning", "nonsense".parse().unwrap());
        Ok(response)
    };
    let (handler, own) = (Arc::new(Warnings::default()), Arc::new(Warnings::default()));
    let server = Server::new([warned(200), warned(404), warned(200), warned(200)]);
    let options =
        RestClientOptions { warnings: Arc::clone(&handler) as Arc<dyn WarningHandler>, ..unlimited() };
    let client = server.client_with(options);
    client.send::<Pod>(get()).await.unwrap();
    client.send::<Pod>(get()).await.unwrap_err();
    client.watch::<Pod>(get(), DecodeOptions::default()).await.unwrap();
    assert_eq!(*handler.0.lock().unwrap(), ["299 - old"; 3]);
    client.send::<Pod>(get().warnings(Arc::clone(&own) as Arc<dyn WarningHandler>)).await.unwrap();
    assert_eq!((handler.0.lock().unwrap().len(), own.0.lock().unwrap().len()), (3, 1));
}

#[tokio::test]
async fn a_server_that_refuses_protobuf_gets_json_from_then_on() {
    let ok = || json(201, pod("a").to_json());
    let refused = json(415, failure(415, "UnsupportedMediaType").to_json());
    let server = Server::new([refused, ok(), ok(), ok()]);
    let client = server.client();
    let create = || Request::post().of::<Pod>().namespace("ns").object(pod("a"));
    client.send::<Pod>(create()).await.unwrap();
    client.send::<Pod>(create()).await.unwrap();
    // Other resources may be served by another server.
    let other = Request::post().of::<ConfigMap>().namespace("ns").object(ConfigMap::default());
    client.send_raw(other).await.unwrap();
    let sent: Vec<_> = server.heard().iter().map(|heard| heard.headers["content-type"].clone()).collect();
    let (protobuf, json) = ("application/vnd.kubernetes.protobuf", "application/json");
    assert_eq!(sent, [protobuf, json, json, protobuf]);
}

#[tokio::test]
async fn a_patch_is_json_whatever_the_client_prefers() {
    use client_rs_machinery::patch::{Patch, PatchType};
    let answer = || json(200, pod("a").to_json());
    let server = Server::new([answer(), answer(), answer()]);
    let client = server.client();
    let document = Json::parse(&pod("a").to_json()).unwrap();
    client.send::<Pod>(Request::patch(&Patch::force_apply(document)).of::<Pod>().name("a")).await.unwrap();
    let merge = Patch::parse(PatchType::Merge, br#"{"spec":{}}"#).unwrap();
    client.send::<Pod>(Request::patch(&merge).of::<Pod>().name("a")).await.unwrap();
    // An object under a patch's media type is JSON too.
    let apply = http::HeaderValue::from_static(PatchType::Apply.media_type());
    let request = Request::new(Verb::Patch).header(http::header::CONTENT_TYPE, apply).object(pod("a"));
    client.send::<Pod>(request.of::<Pod>().name("a")).await.unwrap();
    let [forced, merged, object] = &server.heard()[..] else { panic!("three requests") };
    assert_eq!(forced.headers["content-type"], "application/apply-patch+yaml");
    assert_eq!((&forced.method, forced.uri.query()), (&Method::PATCH, Some("force=true")));
    assert_eq!(merged.headers["content-type"], "application/merge-patch+json");
    assert_eq!((merged.uri.query(), &merged.body[..]), (None, br#"{"spec":{}}"#.as_slice()));
    assert_eq!(object.body, pod("a").to_json());
}

fn frame(format: Format, kind: &str, object: &impl Payload) -> Vec<u8> {
    let raw = object.encode(format);
    match format {
        Format::Json => [format!(r#"{{"type":"{kind}","object":"#).as_bytes(), &raw, b"}\n"].concat(),
        Format::Protobuf => {
            let event = client_rs_machinery::meta::v1::WatchEvent {
                type_: kind.into(),
                object: RawExtension::from_bytes(raw),
            };
            let event = event.to_protobuf();
            [u32::try_from(event.len()).unwrap().to_be_bytes().as_slice(), &event].concat()
        }
    }
}

fn watching(format: Format, body: Body) -> Server {
    Server::new([reply(200, &format!("{};stream=watch", format.media_type()), body)])
}

async fn watch(server: &Server) -> Watch<Pod> {
    server.client().watch(list().param("watch", "true"), DecodeOptions::default()).await.unwrap()
}

#[tokio::test]
async fn t3_6_01_every_kind_of_event_in_both_formats_across_any_chunking() {
    for format in [Format::Json, Format::Protobuf] {
        let bytes = [
            frame(format, "ADDED", &pod("a")),
            frame(format, "MODIFIED", &pod("b")),
            frame(format, "DELETED", &pod("c")),
            frame(format, "BOOKMARK", &pod("")),
            frame(format, "ERROR", &failure(410, "Expired")),
        ]
        .concat();
        for size in [1, 2, 7, 64, bytes.len()] {
            let mut watch = watch(&watching(format, chunks(&bytes, size, true))).await;
            let mut events = Vec::new();
            while let Some(event) = watch.next().await {
                events.push(event.unwrap());
            }
            let bookmark = WatchEvent::Bookmark { resource_version: "5".into(), initial_events_end: false };
            let expected = [
                WatchEvent::Added(pod("a")),
                WatchEvent::Modified(pod("b")),
                WatchEvent::Deleted(pod("c")),
                bookmark,
            ];
            assert_eq!(events[..4], expected, "{format} {size}");
            let WatchEvent::Error(error) = &events[4] else { panic!("{events:?}") };
            assert!(error.is_resource_expired() && error.code() == 410);
            // The server's error is the last word, though the stream would go on.
            assert!(events.len() == 5 && matches!(watch.end(), Some(WatchEnd::Error)));
        }
    }
}

#[tokio::test]
async fn t3_6_02_what_is_no_event_is_an_error_event_and_the_end() {
    for body in [
        frame(Format::Json, "RENAMED", &pod("a")),
        br#"{"type":"ADDED"}"#.to_vec(),
        b"<html>".to_vec(),
        b"[]".to_vec(),
    ] {
        let mut watch = watch(&watching(Format::Json, chunks(&body, 3, true))).await;
        let Some(Ok(WatchEvent::Error(error))) = watch.next().await else { panic!("no error event") };
        assert!(error.is_internal_error() && error.has_cause(&"ClientWatchDecoding".into()), "{error}");
        assert!(watch.next().await.is_none());
        assert!(matches!(watch.end(), Some(WatchEnd::Undecodable(_))));
    }
}

#[tokio::test]
async fn t3_6_03_dropping_a_watch_ends_it() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let body = Chunks { left: VecDeque::new(), pending: true, dropped: Some(Arc::clone(&dropped)) };
    let server = watching(Format::Json, Body::new(body));
    let mut watch = watch(&server).await;
    let waiting = tokio::spawn(async move { watch.next().await.is_none() });
    tokio::task::yield_now().await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn t3_6_05_an_answer_that_is_no_watch_is_an_error() {
    let server = Server::new([
        reply(200, "application/cbor", "x"),
        reply(200, "text/html", "x"),
        json(410, failure(410, "Expired").to_json()),
    ]);
    let client = server.client();
    for _ in 0..2 {
        let error = client.watch::<Pod>(list(), DecodeOptions::default()).await.unwrap_err();
        assert!(matches!(error, Error::ContentType { .. }), "{error}");
    }
    let error = client.watch::<Pod>(list(), DecodeOptions::default()).await.unwrap_err();
    assert!(error.is_resource_expired(), "{error}");
}

#[tokio::test]
async fn an_event_that_does_not_decode_leaves_its_neighbours() {
    let bad = br#"{"type":"MODIFIED","object":{"metadata":{"name":"b","namespace":"ns","resourceVersion":"9"},"spec":5}}"#;
    let bytes =
        [frame(Format::Json, "ADDED", &pod("a")), bad.to_vec(), frame(Format::Json, "DELETED", &pod("c"))]
            .concat();
    let mut watch = watch(&watching(Format::Json, chunks(&bytes, 10, false))).await;
    assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Added(pod("a")));
    let bad = watch.next().await.unwrap().unwrap_err();
    assert_eq!(
        (bad.kind.clone(), bad.namespace.as_str(), bad.name.as_str()),
        (EventType::Modified, "ns", "b")
    );
    assert_eq!(bad.resource_version, "9");
    assert_eq!(watch.next().await.unwrap().unwrap(), WatchEvent::Deleted(pod("c")));
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Closed)));
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_quietly_however_it_ends() {
    let event = frame(Format::Json, "ADDED", &pod("a"));
    let mut cut = watch(&watching(Format::Json, chunks(&event[..event.len() - 5], 16, false))).await;
    assert!(cut.next().await.is_none() && matches!(cut.end(), Some(WatchEnd::Truncated)));
    let server = Server::new((0..20).map(|_| Err(reset())));
    let mut lost = watch(&server).await;
    assert!(lost.next().await.is_none() && matches!(lost.end(), Some(WatchEnd::Lost(_))));
    assert_eq!(server.heard().len(), 11);
}

#[tokio::test(start_paused = true)]
async fn a_silent_watch_is_noticed() {
    let event = frame(Format::Json, "ADDED", &pod("a"));
    let server = watching(Format::Json, chunks(&event, 1000, true));
    let options = DecodeOptions { idle_timeout: Some(Duration::from_secs(90)), ..DecodeOptions::default() };
    let start = Instant::now();
    let mut watch = server.client().watch::<Pod>(list(), options).await.unwrap();
    assert!(watch.next().await.unwrap().is_ok());
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Idle)));
    assert_eq!(start.elapsed(), Duration::from_secs(90));
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_the_server_should_have_ended_ends() {
    let server = watching(Format::Json, chunks(b"", 1, true));
    let start = Instant::now();
    let request = list().watch_timeout(Duration::from_mins(5));
    let mut watch = server.client().watch::<Pod>(request, DecodeOptions::default()).await.unwrap();
    assert!(watch.next().await.is_none() && matches!(watch.end(), Some(WatchEnd::Timeout)));
    assert!((330..630).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

fn pods(count: usize) -> PodList {
    let metadata = ListMeta {
        resource_version: "77".into(),
        continue_: "next".into(),
        remaining_item_count: Some(4),
        ..ListMeta::EMPTY
    };
    PodList { metadata, items: (0..count).map(|n| pod(&format!("p{n}"))).collect() }
}

#[tokio::test]
async fn lists_are_read_whole_and_item_by_item() {
    for format in [Format::Json, Format::Protobuf] {
        let bytes = pods(20).encode(format);
        for size in [1, 100, bytes.len()] {
            let answer = || reply(200, format.media_type(), chunks(&bytes, size, false));
            let client = Server::new([answer(), answer()]).client();
            let listed: Listed<Pod> = client.send_list(list()).await.unwrap();
            assert_eq!(listed.items, *pods(20).items);
            assert_eq!(
                (listed.metadata.resource_version.as_str(), listed.metadata.continue_.as_str()),
                ("77", "next")
            );
            assert_eq!(listed.metadata.remaining_item_count, Some(4));
            let mut stream = client.list_stream::<Pod>(list(), DecodeOptions::default()).await.unwrap();
            let mut count = 0;
            while let Some(item) = stream.next().await.unwrap() {
                assert_eq!(item, ListItem::Object(pod(&format!("p{count}"))));
                count += 1;
            }
            assert_eq!((count, stream.summary().unwrap().items), (20, 20));
        }
    }
}

#[tokio::test]
async fn items_come_before_the_list_has_ended() {
    let bytes = pods(3).to_json();
    let cut = bytes.len() - 10;
    let client = Server::new([json(200, chunks(&bytes[..cut], 64, true))]).client();
    let mut stream = client.list_stream::<Pod>(list(), DecodeOptions::default()).await.unwrap();
    assert_eq!(stream.next().await.unwrap(), Some(ListItem::Object(pod("p0"))));
    assert!(stream.summary().is_none());
}

#[tokio::test]
async fn a_list_that_breaks_off_is_an_error_and_not_a_short_list() {
    for format in [Format::Json, Format::Protobuf] {
        let bytes = pods(3).encode(format);
        let answer = reply(200, format.media_type(), chunks(&bytes[..bytes.len() - 20], 64, false));
        let error = Server::new([answer]).client().send_list::<Pod>(list()).await.unwrap_err();
        assert!(matches!(error, Error::Decode { .. }), "{error}");
    }
    let answer = json(200, failure(500, "InternalError").to_json());
    let error = Server::new([answer]).client().send_list::<Pod>(list()).await.unwrap_err();
    assert!(error.to_string().contains("expected a list, found Status"), "{error}");
}

#[tokio::test]
async fn a_bad_item_is_told_apart_and_fails_only_a_whole_list() {
    let text = r#"{"kind":"PodList","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"},"spec":1},{}],"metadata":{}}"#;
    let client = Server::new([json(200, text), json(200, text)]).client();
    let error = client.send_list::<Pod>(list()).await.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error}");
    let mut stream = client.list_stream::<Pod>(list(), DecodeOptions::default()).await.unwrap();
    let mut kinds = Vec::new();
    while let Some(item) = stream.next().await.unwrap() {
        kinds.push(match item {
            ListItem::Object(_) => "object".to_owned(),
            ListItem::Bad(bad) => format!("bad {} {}", bad.index, bad.name),
        });
    }
    assert_eq!(kinds, ["object", "bad 1 b", "object"]);
}

#[tokio::test]
async fn managed_fields_are_left_out_on_demand() {
    let text = r#"{"kind":"PodList","items":[{"metadata":{"name":"a","managedFields":[{"manager":"m"}]}}],"metadata":{}}"#;
    let client = Server::new([json(200, text), json(200, text)]).client();
    for (strip_managed_fields, left) in [(false, 1), (true, 0)] {
        let options = DecodeOptions { strip_managed_fields, ..DecodeOptions::default() };
        let mut stream = client.list_stream::<Pod>(list(), options).await.unwrap();
        let Some(ListItem::Object(pod)) = stream.next().await.unwrap() else { panic!("no pod") };
        assert_eq!(pod.metadata.managed_fields.len(), left);
    }
}

#[tokio::test]
async fn the_selftold_reason_wins_over_the_code() {
    let server = Server::new([json(500, failure(500, "ServerTimeout").to_json())]);
    let error = server.client().send::<Pod>(get()).await.unwrap_err();
    assert_eq!(*error.api().unwrap().reason(), StatusReason::ServerTimeout);
    assert!(error.is_timeout());
}

#[tokio::test]
async fn objects_of_any_kind_come_as_json_and_a_failure_is_still_one() {
    use client_rs_machinery::Unstructured;
    let server = Server::new([
        json(200, pod("a").to_json()),
        json(200, failure(409, "Conflict").to_json()),
        json(200, pods(2).to_json()),
        json(200, frame(Format::Json, "ADDED", &pod("a"))),
    ]);
    let client = server.client();
    let object: Unstructured = client.send(get()).await.unwrap();
    assert_eq!((object.kind(), object.name()), ("Pod", "a"));
    assert!(client.send::<Unstructured>(get()).await.unwrap_err().is_conflict());
    assert_eq!(client.send_list::<Unstructured>(list()).await.unwrap().items.len(), 2);
    let mut watch = client.watch::<Unstructured>(list(), DecodeOptions::default()).await.unwrap();
    let Some(Ok(WatchEvent::Added(object))) = watch.next().await else { panic!("no event") };
    assert_eq!(object.name(), "a");
    assert!(server.heard().iter().all(|heard| heard.headers["accept"] == "application/json"));
}

#[test]
fn a_client_is_refused_what_is_no_server() {
    let url: Uri = "http://h".parse().unwrap();
    let service = tower::service_fn(|_: http::Request<Body>| async { json(200, "{}") });
    let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
    for (server, agent) in [("/path", "a"), ("http://h", "a\nb")] {
        let options = RestClientOptions { user_agent: agent.into(), ..unlimited() };
        assert!(RestClient::new(&server.parse().unwrap(), transport.clone(), options).is_err());
    }
}
