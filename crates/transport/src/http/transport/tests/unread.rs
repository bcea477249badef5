//! Bodies that are not read, or that are dropped in unusual places.

use super::*;

/// Sends chunks of one size without end.
struct Flood(Bytes);

impl futures_core::Stream for Flood {
    type Item = Result<http_body::Frame<Bytes>, Infallible>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(Some(Ok(http_body::Frame::data(self.0.clone()))))
    }
}

/// `/flood` sends without end; every other path is answered at once.
fn flooding_server(chunk: usize) -> Arc<Memory> {
    Memory::new(move |stream| {
        let service = service_fn(move |request: Request<Incoming>| async move {
            if request.uri().path() == "/flood" {
                let flood = Flood(Bytes::from(vec![b'x'; chunk]));
                return Ok(Response::new(StreamBody::new(flood).boxed_unsync()));
            }
            answer(request).await
        });
        let mut builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        builder.timer(TokioTimer::new()).max_concurrent_streams(250);
        tokio::spawn(builder.serve_connection(TokioIo::new(stream), service));
    })
}

fn with_window(server: &Arc<Memory>, stream_window: u32) -> Transport {
    let options = HttpOptions { http2_without_tls: true, stream_window, ..HttpOptions::from_env(|_| None) };
    builder(server, true).options(options).build().unwrap()
}

/// Starts streams that are not read, and waits until the server can't send more on any of them.
async fn unread(transport: &Transport, streams: usize) -> Vec<Body> {
    let mut bodies = Vec::new();
    for _ in 0..streams {
        bodies.push(get(transport, "/flood").await.unwrap().into_body());
    }
    // Paused time advances only when no task can make progress.
    tokio::time::sleep(Duration::from_millis(1)).await;
    bodies
}

#[tokio::test(start_paused = true)]
async fn any_number_of_unread_streams_leaves_a_request_on_their_connection_alone() {
    for (streams, window) in [(5, 4 << 20), (40, 1 << 20)] {
        let server = flooding_server(16 * 1024);
        let transport = with_window(&server, window);
        let bodies = unread(&transport, streams).await;
        let asked = tokio::time::timeout(Duration::from_secs(1), text(&transport, "/a")).await;
        assert!(
            asked.is_ok_and(|text| text.starts_with("GET")),
            "{streams} unread streams of {window} bytes"
        );
        assert_eq!(server.dialed(), 1, "they share a connection");
        for mut body in bodies {
            assert!(body.frame().await.unwrap().is_ok());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn unread_streams_of_many_small_pieces_do_not_end_their_connection() {
    // Like a log, in which each line is its own frame.
    let server = flooding_server(64);
    let transport = with_window(&server, 1 << 20);
    let bodies = unread(&transport, 4).await;
    let asked = tokio::time::timeout(Duration::from_secs(1), get(&transport, "/a")).await;
    assert!(asked.is_ok_and(|answer| answer.is_ok()));
    assert_eq!(server.dialed(), 1);
    for mut body in bodies {
        assert!(body.frame().await.unwrap().is_ok());
    }
}

#[tokio::test(start_paused = true)]
async fn an_upload_that_the_server_does_not_read_leaves_other_uploads_alone() {
    let server = Memory::new(|stream| {
        let service = service_fn(|request: Request<Incoming>| async move {
            if request.uri().path() == "/stall" {
                return std::future::pending().await;
            }
            let heard = request.into_body().collect().await.unwrap().to_bytes();
            Ok::<_, Infallible>(Response::new(Full::new(heard)))
        });
        let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        tokio::spawn(builder.serve_connection(TokioIo::new(stream), service));
    });
    let transport = transport(&server, true);
    let post = async |path: &str, body: Body| {
        let request = Request::post(path).body(body).unwrap();
        let answer = transport.clone().oneshot(request).await.unwrap();
        answer.into_body().bytes().await.unwrap()
    };
    assert_eq!(post("/a", Body::from("content")).await, "content");
    let flood = Request::post("/stall").body(Body::new(StreamBody::new(Flood(vec![0; 16 * 1024].into()))));
    let stalled = tokio::spawn(transport.clone().oneshot(flood.unwrap()));
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(!stalled.is_finished());
    let asked = tokio::time::timeout(Duration::from_secs(1), post("/a", Body::from("content"))).await;
    assert_eq!(asked.expect("a window is left for it"), "content");
    // A body that is known to be short shares a connection.
    let short = Body::new(Full::new(Bytes::from_static(b"short")));
    assert_eq!(post("/a", short).await, "short");
    assert_eq!((server.dialed(), transport.connections()), (2, 1));
}

/// The bytes that are sent to a channel.
struct Fed(mpsc::Receiver<Bytes>);

impl futures_core::Stream for Fed {
    type Item = Result<http_body::Frame<Bytes>, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx).map(|bytes| bytes.map(|bytes| Ok(http_body::Frame::data(bytes))))
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_upload_is_answered_while_it_is_sent() {
    let server = Memory::new(|stream| {
        let echo = service_fn(|request: Request<Incoming>| {
            std::future::ready(Ok::<_, Infallible>(Response::new(request.into_body())))
        });
        let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        tokio::spawn(builder.serve_connection(TokioIo::new(stream), echo));
    });
    let transport = transport(&server, true);
    let (sender, receiver) = mpsc::channel(1);
    let request = Request::post("/").body(Body::new(StreamBody::new(Fed(receiver)))).unwrap();
    let mut back = transport.clone().oneshot(request).await.unwrap().into_body();
    for word in ["one", "two", "three"] {
        sender.send(Bytes::from_static(word.as_bytes())).await.unwrap();
        // Regardless of how long nothing is sent.
        tokio::time::sleep(Duration::from_mins(10)).await;
        assert_eq!(back.frame().await.unwrap().unwrap().into_data().unwrap(), word);
    }
    drop(sender);
    assert!(back.bytes().await.unwrap().is_empty());
    assert_eq!((server.dialed(), transport.connections()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn streams_with_windows_as_large_as_a_connections_have_one_each() {
    let server = http2_server(100);
    let transport = with_window(&server, u32::MAX);
    let watches = [watch(&transport).await, watch(&transport).await];
    assert!(text(&transport, "/a").await.starts_with("GET"));
    assert_eq!((server.dialed(), transport.connections()), (3, 3));
    drop(watches);
}

#[tokio::test(start_paused = true)]
async fn no_more_of_a_response_is_collected_than_the_options_say() {
    let options = |max_collected| HttpOptions {
        http2_without_tls: true,
        max_collected,
        ..HttpOptions::from_env(|_| None)
    };
    let server = flooding_server(1024);
    let transport = builder(&server, true).options(options(10_000)).build().unwrap();
    let error = get(&transport, "/flood").await.unwrap().into_body().bytes().await.unwrap_err();
    assert!(matches!(error, TransportError::TooLarge { limit: 10_000 }), "{error:?}");
    assert!(text(&transport, "/a").await.starts_with("GET"));
}

/// Opens one stream; later dials hang.
#[derive(Debug)]
struct Once(Arc<Memory>);

impl Dial for Once {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        if self.0.dialed() == 0 { self.0.dial(host, port) } else { Hangs.dial(host, port) }
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_dropped_on_a_thread_without_a_runtime_makes_room_for_the_next_request() {
    let server = http2_server(1);
    let transport = builder(&server, true).dial(Arc::new(Once(Arc::clone(&server)))).build().unwrap();
    let body = watch(&transport).await;
    let waiting = tokio::spawn({
        let transport = transport.clone();
        async move { text(&transport, "/a").await }
    });
    // The request waits for a connection that is never opened.
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(!waiting.is_finished());
    std::thread::spawn(move || drop(body)).join().expect("dropping a body never panics");
    let answered = tokio::time::timeout(Duration::from_secs(1), waiting).await;
    assert!(answered.unwrap().unwrap().starts_with("GET"));
}
