//! Servers in memory, so that tests can pause time.

use std::convert::Infallible;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tower::ServiceExt;

mod http2;
mod unread;

use super::*;
use crate::http::testing::{Memory, Tls, tls_server};
use crate::tls::{Trust, client_config};

type Answer = http_body_util::combinators::UnsyncBoxBody<Bytes, Infallible>;

/// `/watch` never ends; every other path is returned at once.
async fn answer(request: Request<Incoming>) -> Result<Response<Answer>, Infallible> {
    if request.uri().path().starts_with("/watch") {
        let (sender, receiver) = mpsc::channel::<Result<http_body::Frame<Bytes>, Infallible>>(1);
        sender.send(Ok(http_body::Frame::data(Bytes::from_static(b"begin")))).await.unwrap();
        let body = StreamBody::new(Forever { receiver, _sender: sender });
        return Ok(Response::new(body.boxed_unsync()));
    }
    let text = format!("{} {:?} {}", request.method(), request.version(), request.uri());
    Ok(Response::new(Full::new(Bytes::from(text)).boxed_unsync()))
}

struct Forever {
    receiver: mpsc::Receiver<Result<http_body::Frame<Bytes>, Infallible>>,
    _sender: mpsc::Sender<Result<http_body::Frame<Bytes>, Infallible>>,
}

impl futures_core::Stream for Forever {
    type Item = Result<http_body::Frame<Bytes>, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(cx)
    }
}

fn http2_server(limit: u32) -> Arc<Memory> {
    Memory::new(move |stream| {
        let mut builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        builder.timer(TokioTimer::new()).max_concurrent_streams(limit);
        tokio::spawn(builder.serve_connection(TokioIo::new(stream), service_fn(answer)));
    })
}

fn http1_server() -> Arc<Memory> {
    Memory::new(|stream| {
        let connection = hyper::server::conn::http1::Builder::new();
        tokio::spawn(connection.serve_connection(TokioIo::new(stream), service_fn(answer)));
    })
}

fn builder(dial: &Arc<Memory>, http2: bool) -> TransportBuilder {
    let target = Target { host: "k8s.example".into(), port: 6443, tls: false, server_name: None };
    let options = HttpOptions { http2_without_tls: http2, ..HttpOptions::from_env(|_| None) };
    TransportBuilder::new(target).dial(Arc::clone(dial) as Arc<dyn Dial>).options(options)
}

fn transport(dial: &Arc<Memory>, http2: bool) -> Transport {
    builder(dial, http2).build().unwrap()
}

async fn get(transport: &Transport, path: &str) -> Result<Response<Body>, TransportError> {
    transport.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await
}

async fn text(transport: &Transport, path: &str) -> String {
    let bytes = get(transport, path).await.unwrap().into_body().bytes().await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Starts a watch, and reads its first bytes.
async fn watch(transport: &Transport) -> Body {
    let mut body = get(transport, "/watch").await.unwrap().into_body();
    let frame = body.frame().await.unwrap().unwrap();
    assert_eq!(frame.into_data().unwrap(), "begin");
    body
}

#[tokio::test(start_paused = true)]
async fn ninety_watches_share_one_connection() {
    let server = http2_server(100);
    let transport = transport(&server, true);
    let mut watches = Vec::new();
    for _ in 0..90 {
        watches.push(watch(&transport).await);
    }
    assert_eq!(text(&transport, "/a?b=c").await, "GET HTTP/2.0 http://k8s.example:6443/a?b=c");
    assert_eq!((server.dialed(), transport.connections()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn three_hundred_watches_and_plain_requests_together() {
    let server = http2_server(100);
    let transport = transport(&server, true);
    let tasks: Vec<_> = (0..300)
        .map(|_| {
            let transport = transport.clone();
            tokio::spawn(async move { watch(&transport).await })
        })
        .collect();
    let mut watches = Vec::new();
    for task in tasks {
        watches.push(task.await.unwrap());
    }
    // Watches occupy all streams of the first connections: a request must not wait for one.
    let asked = tokio::time::timeout(Duration::from_secs(1), text(&transport, "/a")).await;
    assert!(asked.unwrap().starts_with("GET"));
    assert!((3..=4).contains(&transport.connections()), "{}", transport.connections());
    // Streams that end become available again.
    let before = server.dialed();
    watches.truncate(200);
    for _ in 0..95 {
        watches.push(watch(&transport).await);
    }
    assert_eq!(server.dialed(), before);
}

#[tokio::test(start_paused = true)]
async fn a_server_with_fewer_streams_gets_more_connections() {
    let server = http2_server(2);
    let transport = transport(&server, true);
    let mut watches = Vec::new();
    for _ in 0..7 {
        watches.push(watch(&transport).await);
    }
    assert_eq!(server.dialed(), 4);
    assert_eq!(transport.connections(), 4);
}

#[tokio::test(start_paused = true)]
async fn t3_4_08_a_dead_http2_connection_is_noticed_and_replaced() {
    // The first connection goes through a relay that falls silent; later ones are intact.
    let silent = Arc::new(tokio::sync::Notify::new());
    let (stop, count) = (Arc::clone(&silent), AtomicUsize::new(0));
    let server = Memory::new(move |stream| {
        let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        if count.fetch_add(1, Ordering::SeqCst) > 0 {
            tokio::spawn(builder.serve_connection(TokioIo::new(stream), service_fn(answer)));
            return;
        }
        let (inner, far) = duplex(64 * 1024);
        tokio::spawn(builder.serve_connection(TokioIo::new(inner), service_fn(answer)));
        let stop = Arc::clone(&stop);
        tokio::spawn(async move {
            let (mut stream, mut far) = (stream, far);
            tokio::select! {
                _ = tokio::io::copy_bidirectional(&mut stream, &mut far) => {}
                () = stop.notified() => {}
            }
            std::future::pending::<()>().await;
        });
    });
    let transport = transport(&server, true);
    let mut body = watch(&transport).await;
    silent.notify_one();
    tokio::task::yield_now().await;
    let start = Instant::now();
    let error = body.frame().await.unwrap().unwrap_err();
    assert!(start.elapsed() <= Duration::from_secs(46), "{:?}", start.elapsed());
    assert!(error.is_timeout() || error.is_connection_lost(), "{error:?}");
    assert!(text(&transport, "/a").await.starts_with("GET"));
    assert_eq!(server.dialed(), 2);
}

#[tokio::test(start_paused = true)]
async fn t3_4_08_a_broken_connection_is_replaced_http2_and_http1() {
    for http2 in [true, false] {
        let streams: Arc<Mutex<Vec<tokio::task::JoinHandle<()>>>> = Arc::default();
        let kept = Arc::clone(&streams);
        let server = Memory::new(move |stream| {
            let task = if http2 {
                let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                let (inner, far) = duplex(64 * 1024);
                tokio::spawn(builder.serve_connection(TokioIo::new(inner), service_fn(answer)));
                tokio::spawn(async move {
                    let (mut stream, mut far) = (stream, far);
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut far).await;
                })
            } else {
                let builder = hyper::server::conn::http1::Builder::new();
                tokio::spawn(async move {
                    let _ = builder.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
                })
            };
            kept.lock().unwrap().push(task);
        });
        let transport = transport(&server, http2);
        let mut body = watch(&transport).await;
        for task in streams.lock().unwrap().drain(..) {
            task.abort();
        }
        let error = body.frame().await.unwrap().unwrap_err();
        assert!(error.is_connection_lost(), "{error:?}");
        assert!(text(&transport, "/a").await.starts_with("GET"));
        assert_eq!((server.dialed(), transport.connections()), (2, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn t3_9_16_closing_connections_ends_their_requests() {
    let server = http2_server(100);
    let transport = transport(&server, true);
    let mut body = watch(&transport).await;
    transport.close_connections();
    let error = body.frame().await.unwrap().unwrap_err();
    assert!(error.is_connection_lost(), "{error:?}");
    assert_eq!(transport.connections(), 0);
    watch(&transport).await;
    assert_eq!(server.dialed(), 2);
}

#[tokio::test(start_paused = true)]
async fn t3_8_12_retired_connections_finish_their_requests() {
    let server = http2_server(100);
    let transport = transport(&server, true);
    let mut body = watch(&transport).await;
    transport.retire_connections();
    watch(&transport).await;
    assert_eq!((server.dialed(), transport.connections()), (2, 1));
    let quiet = tokio::time::timeout(Duration::from_secs(5), body.frame()).await;
    assert!(quiet.is_err(), "{quiet:?}");
}

#[tokio::test(start_paused = true)]
async fn http1_connections_are_reused_and_one_is_opened_for_each_request() {
    let server = http1_server();
    let transport = transport(&server, false);
    for _ in 0..5 {
        assert_eq!(text(&transport, "/a?b").await, "GET HTTP/1.1 /a?b");
    }
    assert_eq!(server.dialed(), 1);
    let watches = [watch(&transport).await, watch(&transport).await];
    assert_eq!(server.dialed(), 2);
    drop(watches);
}

#[tokio::test(start_paused = true)]
async fn t3_4_10_an_http1_connection_is_not_reused_after_a_request_that_was_cut() {
    let server = http1_server();
    let transport = transport(&server, false);
    let cut = tokio::time::timeout(Duration::from_secs(1), async {
        let mut body = watch(&transport).await;
        body.frame().await
    });
    assert!(cut.await.is_err());
    assert_eq!(text(&transport, "/a").await, "GET HTTP/1.1 /a");
    assert_eq!(server.dialed(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_closed_and_a_busy_one_is_not() {
    let server = http2_server(100);
    let transport = transport(&server, true);
    let body = watch(&transport).await;
    tokio::time::sleep(Duration::from_mins(5)).await;
    assert_eq!(transport.connections(), 1);
    drop(body);
    tokio::time::sleep(Duration::from_secs(89)).await;
    assert_eq!(transport.connections(), 1);
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(transport.connections(), 0);
}

#[tokio::test(start_paused = true)]
async fn no_more_unused_http1_connections_are_kept_than_allowed() {
    let server = http1_server();
    let options = HttpOptions { max_idle: 2, ..HttpOptions::from_env(|_| None) };
    let transport = builder(&server, false).options(options).build().unwrap();
    let responses = [(); 5].map(|()| get(&transport, "/a"));
    let mut bodies = Vec::new();
    for response in responses {
        bodies.push(response.await.unwrap().into_body());
    }
    assert_eq!(server.dialed(), 5);
    for body in bodies {
        body.bytes().await.unwrap();
    }
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(transport.connections(), 2);
}

#[derive(Debug)]
struct Refused;

impl Dial for Refused {
    fn dial<'a>(
        &'a self,
        _: &'a str,
        _: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(std::future::ready(Err(io::Error::from(io::ErrorKind::ConnectionRefused))))
    }
}

#[derive(Debug)]
struct Hangs;

impl Dial for Hangs {
    fn dial<'a>(
        &'a self,
        _: &'a str,
        _: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn all_waiting_requests_get_the_connection_error() {
    let server = http2_server(1);
    let transport = builder(&server, true).dial(Arc::new(Refused)).build().unwrap();
    let (one, two) = tokio::join!(get(&transport, "/a"), get(&transport, "/b"));
    for error in [one.unwrap_err(), two.unwrap_err()] {
        assert_eq!(error.to_string(), "can't connect to k8s.example:6443: connection refused");
        assert!(error.is_unprocessed() && !error.is_timeout());
    }
}

#[tokio::test(start_paused = true)]
async fn a_dial_that_hangs_ends_at_its_limit() {
    let server = http2_server(1);
    let transport = builder(&server, true).dial(Arc::new(Hangs)).build().unwrap();
    let start = Instant::now();
    let error = get(&transport, "/a").await.unwrap_err();
    assert_eq!(start.elapsed().as_secs(), 30);
    assert!(error.is_timeout(), "{error}");
    assert_eq!(error.to_string(), "connecting to k8s.example:6443 took longer than 30s");
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_is_not_accepted_as_an_http2_server() {
    let kept: Arc<Mutex<Vec<DuplexStream>>> = Arc::default();
    let server = Memory::new({
        let kept = Arc::clone(&kept);
        move |stream| kept.lock().unwrap().push(stream)
    });
    let error = get(&transport(&server, true), "/a").await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    let server = Memory::new(drop);
    let error = get(&transport(&server, true), "/a").await.unwrap_err();
    assert!(matches!(error, TransportError::Connect(ConnectError::Http2 { .. })), "{error:?}");
}

/// A server that refuses the first stream of the first connection without processing it.
fn refusing_server() -> Arc<Memory> {
    let first = AtomicUsize::new(0);
    Memory::new(move |stream| {
        let refuse = first.fetch_add(1, Ordering::SeqCst) == 0;
        tokio::spawn(async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            let mut refuse = refuse;
            while let Some(Ok((request, mut respond))) = connection.accept().await {
                if std::mem::take(&mut refuse) {
                    respond.send_reset(h2::Reason::REFUSED_STREAM);
                    continue;
                }
                let mut body = request.into_body();
                tokio::spawn(async move {
                    let mut heard = Vec::new();
                    while let Some(Ok(chunk)) = body.data().await {
                        heard.extend_from_slice(&chunk);
                    }
                    let mut stream = respond.send_response(Response::new(()), false).unwrap();
                    stream.send_data(heard.into(), true).unwrap();
                });
            }
        });
    })
}

#[tokio::test(start_paused = true)]
async fn a_refused_stream_is_sent_again_for_any_method() {
    let server = refusing_server();
    let request = Request::post("/a").body(Body::from("content")).unwrap();
    let response = transport(&server, true).oneshot(request).await.unwrap();
    assert_eq!(response.into_body().bytes().await.unwrap(), "content");
    // Not if the body was consumed.
    let server = refusing_server();
    let stream = Body::new(Full::new(Bytes::from_static(b"content")));
    let request = Request::post("/a").body(stream).unwrap();
    let error = transport(&server, true).oneshot(request).await.unwrap_err();
    assert!(error.is_unprocessed(), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_response_is_lost_is_not_sent_again() {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    let server = Memory::new(move |stream| {
        let count = Arc::clone(&count);
        tokio::spawn(async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            let accepted = connection.accept().await;
            assert!(accepted.is_some());
            count.fetch_add(1, Ordering::SeqCst);
            // Both are dropped: the connection breaks off after the request was read.
        });
    });
    let request = Request::post("/a").body(Body::from("content")).unwrap();
    let error = transport(&server, true).oneshot(request).await.unwrap_err();
    assert!(error.is_connection_lost() && !error.is_unprocessed(), "{error:?}");
    assert_eq!(seen.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn after_goaway_requests_finish_and_the_next_one_uses_another_connection() {
    let server = Memory::new(|stream| {
        tokio::spawn(async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            let (_, mut respond) = connection.accept().await.unwrap().unwrap();
            connection.graceful_shutdown();
            let mut stream = respond.send_response(Response::new(()), false).unwrap();
            stream.send_data(Bytes::from_static(b"done"), true).unwrap();
            while let Some(Ok(_)) = connection.accept().await {}
        });
    });
    let transport = transport(&server, true);
    for turn in 1..=3 {
        assert_eq!(text(&transport, "/a").await, "done");
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(server.dialed(), turn);
    }
}

#[tokio::test(start_paused = true)]
async fn an_upgrade_has_a_connection_of_its_own() {
    let server = Memory::new(|mut stream| {
        tokio::spawn(async move {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            let head = String::from_utf8(head).unwrap().to_lowercase();
            assert!(head.starts_with("get /exec http/1.1\r\n") && head.contains("upgrade: echo"), "{head}");
            let answer = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
            stream.write_all(answer).await.unwrap();
            let byte = stream.read_u8().await.unwrap();
            stream.write_all(&[byte, byte]).await.unwrap();
        });
    });
    let transport = transport(&server, true);
    let request = Request::get("/exec").header("Connection", "Upgrade").header("Upgrade", "echo");
    let response = transport.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), 101);
    let mut upgraded = upgraded(response, transport.target()).await.unwrap();
    upgraded.write_all(b"x").await.unwrap();
    let mut echoed = [0; 2];
    upgraded.read_exact(&mut echoed).await.unwrap();
    assert_eq!((&echoed, transport.connections()), (b"xx", 0));
}

#[tokio::test(start_paused = true)]
async fn a_proxy_in_front_of_a_plain_server_gets_whole_urls() {
    let server = http1_server();
    let proxy = Proxy::parse("http://user:pass@proxy.example:3128").unwrap();
    let transport = builder(&server, false).proxy(Some(proxy)).build().unwrap();
    assert_eq!(text(&transport, "/a?b").await, "GET HTTP/1.1 http://k8s.example:6443/a?b");
    assert_eq!(*server.places.lock().unwrap(), ["proxy.example:3128"]);
}

#[tokio::test(start_paused = true)]
async fn layers_wrap_from_the_inside_out() {
    let server = http1_server();
    let tag = |name: &'static str| {
        tower::util::MapRequestLayer::new(move |mut request: Request<Body>| {
            let path = format!("{}{name}", request.uri().path());
            *request.uri_mut() = path.parse().unwrap();
            request
        })
    };
    let transport = transport(&server, false).layer(tag("inner")).layer(tag("outer"));
    assert_eq!(text(&transport, "/").await, "GET HTTP/1.1 /outerinner");
}

#[tokio::test(start_paused = true)]
async fn a_service_of_the_caller_can_replace_connections() {
    let target = Target::from_uri(&"https://k8s.example/base".parse().unwrap()).unwrap();
    assert_eq!((target.to_string().as_str(), target.tls), ("k8s.example:443", true));
    let service =
        tower::service_fn(|_: Request<Body>| async { Err::<Response<Body>, _>(io::Error::other("no")) });
    let transport = Transport::from_service(target, service);
    assert_eq!(get(&transport, "/").await.unwrap_err().to_string(), "no");
}

async fn over_tls(
    tls: &Tls,
    trust: &Trust,
    identity: bool,
    server_name: Option<&str>,
    options: HttpOptions,
) -> Result<String, String> {
    let chain = [tls.client.0.clone()];
    let identity = identity.then_some((chain.as_slice(), &tls.client.1));
    let config = client_config(trust, identity, &[]).map_err(|error| error.to_string())?;
    let server_name = server_name.map(str::to_owned);
    let target = Target { host: "k8s.example".into(), port: 6443, tls: true, server_name };
    let builder = TransportBuilder::new(target)
        .dial(tls.serve(|request, shown| {
            Response::new(Full::new(Bytes::from(format!("{:?} {shown}", request.version()))))
        }))
        .tls(Arc::new(config))
        .options(options);
    let transport = builder.build().unwrap();
    let response = get(&transport, "/").await.map_err(|error| error.to_string())?;
    Ok(String::from_utf8(response.into_body().bytes().await.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn tls_negotiates_the_protocol_and_the_identities() {
    let tls = tls_server(&["k8s.example"]);
    let options = || HttpOptions::from_env(|_| None);
    assert_eq!(over_tls(&tls, &tls.trust(), false, None, options()).await.unwrap(), "HTTP/2.0 false");
    assert_eq!(over_tls(&tls, &tls.trust(), true, None, options()).await.unwrap(), "HTTP/2.0 true");
    let without = HttpOptions { http2: false, ..options() };
    assert_eq!(over_tls(&tls, &tls.trust(), true, None, without).await.unwrap(), "HTTP/1.1 true");
}

#[tokio::test]
async fn an_untrusted_server_is_refused_unless_configured_otherwise() {
    let (tls, other) = (tls_server(&["k8s.example"]), tls_server(&["k8s.example"]));
    let options = || HttpOptions::from_env(|_| None);
    let error = over_tls(&tls, &other.trust(), false, None, options()).await.unwrap_err();
    assert!(error.starts_with("the TLS handshake with k8s.example:6443 failed: "), "{error}");
    let nobody = Trust::Only(Arc::new([]));
    assert!(over_tls(&tls, &nobody, false, None, options()).await.is_err());
    assert_eq!(over_tls(&tls, &Trust::Anybody, false, None, options()).await.unwrap(), "HTTP/2.0 false");
}

#[tokio::test]
async fn the_expected_server_name_can_be_set() {
    let tls = tls_server(&["kubernetes"]);
    let options = || HttpOptions::from_env(|_| None);
    assert!(over_tls(&tls, &tls.trust(), false, None, options()).await.is_err());
    let named = over_tls(&tls, &tls.trust(), false, Some("kubernetes"), options()).await;
    assert_eq!(named.unwrap(), "HTTP/2.0 false");
}

#[tokio::test(start_paused = true)]
async fn compressed_responses_are_decompressed_unless_the_caller_requested_them() {
    use std::io::Write as _;
    let server = Memory::new(|stream| {
        let service = service_fn(|request: Request<Incoming>| async move {
            if request.headers().get("accept-encoding").is_none() {
                return Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(b"plain"))));
            }
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(b"compressed").unwrap();
            let mut response = Response::new(Full::new(Bytes::from(encoder.finish().unwrap())));
            response.headers_mut().insert("content-encoding", HeaderValue::from_static("gzip"));
            Ok(response)
        });
        tokio::spawn(
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
        );
    });
    assert_eq!(text(&transport(&server, false), "/").await, "compressed");
    let without = builder(&server, false).compression(false).build().unwrap();
    assert_eq!(text(&without, "/").await, "plain");
    let request = Request::get("/").header("accept-encoding", "gzip").body(Body::empty()).unwrap();
    let response = transport(&server, false).oneshot(request).await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert!(response.into_body().bytes().await.unwrap().starts_with(&[0x1f, 0x8b]));
}

#[tokio::test(start_paused = true)]
async fn dropping_a_transport_closes_its_connections() {
    let closed = Arc::new(tokio::sync::Notify::new());
    let server = Memory::new({
        let closed = Arc::clone(&closed);
        move |stream| {
            let (builder, closed) = (hyper::server::conn::http1::Builder::new(), Arc::clone(&closed));
            tokio::spawn(async move {
                let _ = builder.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
                closed.notify_one();
            });
        }
    });
    let transport = transport(&server, false);
    text(&transport, "/").await;
    drop(transport);
    tokio::time::timeout(Duration::from_secs(1), closed.notified()).await.unwrap();
}
