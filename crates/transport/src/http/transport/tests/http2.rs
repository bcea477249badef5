//! The frames of HTTP/2 requests.

use std::task::ready;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::*;
use crate::http::{Dial, Stream};

/// Counts the writes of a stream.
struct Counted {
    stream: Stream,
    writes: Arc<AtomicUsize>,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, buf));
        self.writes.fetch_add(1, Ordering::SeqCst);
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(cx, bufs));
        self.writes.fetch_add(1, Ordering::SeqCst);
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[derive(Debug)]
struct Counting {
    dial: Arc<Memory>,
    writes: Arc<AtomicUsize>,
}

impl Dial for Counting {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        Box::pin(async move {
            let stream = self.dial.dial(host, port).await?;
            Ok(Box::new(Counted { stream, writes: Arc::clone(&self.writes) }) as Stream)
        })
    }
}

fn post(body: Body) -> Request<Body> {
    Request::post("/here").body(body).unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_head_and_the_body_of_a_request_leave_in_one_write() {
    let memory = http2_server(100);
    let writes = Arc::new(AtomicUsize::new(0));
    let dial = Arc::new(Counting { dial: Arc::clone(&memory), writes: Arc::clone(&writes) });
    let transport = builder(&memory, true).dial(dial).build().unwrap();
    text(&transport, "/first").await;
    // The acknowledgement of the server's settings is gone, too.
    tokio::time::sleep(Duration::from_secs(1)).await;
    for size in [10, 255, 256, 700, 15_000] {
        let before = writes.load(Ordering::SeqCst);
        let response = transport.clone().oneshot(post(Body::from(vec![b'x'; size]))).await.unwrap();
        assert_eq!(writes.load(Ordering::SeqCst) - before, 1, "{size} bytes");
        response.into_body().bytes().await.unwrap();
    }
}

/// Returns the number of bytes that a request has, and its trailers.
fn measuring_server() -> Arc<Memory> {
    Memory::new(|stream| {
        let service = service_fn(|request: Request<Incoming>| async move {
            let announced = request.headers().get("content-length").cloned();
            let body = request.into_body().collect().await.unwrap();
            let trailers = body.trailers().cloned();
            let text = format!("{} {announced:?} {trailers:?}", body.to_bytes().len());
            Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(text))))
        });
        let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        tokio::spawn(builder.serve_connection(TokioIo::new(stream), service));
    })
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_not_in_memory_is_sent_whole() {
    let transport = transport(&measuring_server(), true);
    for (chunks, size) in [(0_usize, 0_usize), (1, 1), (3, 5_000), (40, 65_000)] {
        let frames =
            (0..chunks).map(move |_| Ok::<_, io::Error>(http_body::Frame::data(Bytes::from(vec![0; size]))));
        let body = Body::new(StreamBody::new(futures_util::stream::iter(frames)));
        let response = transport.clone().oneshot(post(body)).await.unwrap();
        let text = response.into_body().bytes().await.unwrap();
        assert_eq!(text, format!("{} None None", chunks * size), "{chunks} of {size}");
    }
    let response = transport.clone().oneshot(post(Body::from("abc"))).await.unwrap();
    assert_eq!(response.into_body().bytes().await.unwrap(), "3 Some(\"3\") None");
    let frames = [http_body::Frame::data(Bytes::from("ab")), {
        let mut trailers = http::HeaderMap::new();
        trailers.insert("x-end", HeaderValue::from_static("1"));
        http_body::Frame::trailers(trailers)
    }];
    let body = Body::new(StreamBody::new(futures_util::stream::iter(frames.map(Ok::<_, io::Error>))));
    let response = transport.clone().oneshot(post(body)).await.unwrap();
    assert_eq!(response.into_body().bytes().await.unwrap(), "2 None Some({\"x-end\": \"1\"})");
}

/// A server that answers before it has read the request, and then ends the stream without an error. The response may lack its
/// end.
fn early_server(whole: bool) -> Arc<Memory> {
    Memory::new(move |stream| {
        tokio::spawn(async move {
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((_request, mut respond))) = connection.accept().await {
                let mut body = respond.send_response(Response::new(()), false).unwrap();
                body.send_data(Bytes::from_static(b"enough"), whole).unwrap();
                tokio::spawn(async move {
                    // A reset discards what has not been sent.
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    body.send_reset(h2::Reason::NO_ERROR);
                    drop(respond);
                });
            }
        });
    })
}

#[tokio::test(start_paused = true)]
async fn a_response_before_the_end_of_the_request_is_whole() {
    let transport = transport(&early_server(true), true);
    let endless = futures_util::stream::pending::<Result<http_body::Frame<Bytes>, io::Error>>();
    let response = transport.oneshot(post(Body::new(StreamBody::new(endless)))).await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(response.into_body().bytes().await.unwrap(), "enough");
}

#[tokio::test(start_paused = true)]
async fn a_response_that_is_reset_before_its_end_is_not_whole() {
    let transport = transport(&early_server(false), true);
    let response = transport.oneshot(post(Body::from("abc"))).await.unwrap();
    let error = response.into_body().bytes().await.unwrap_err();
    assert!(error.is_stream_error() && !error.is_unprocessed(), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_fails_ends_its_request() {
    let transport = transport(&measuring_server(), true);
    let frames = [Ok(http_body::Frame::data(Bytes::from("ab"))), Err(io::Error::other("no more"))];
    let body = Body::new(StreamBody::new(futures_util::stream::iter(frames)));
    let error = transport.clone().oneshot(post(body)).await.unwrap_err();
    assert!(matches!(error, TransportError::Connection { .. }) && !error.is_unprocessed(), "{error:?}");
    let response = transport.clone().oneshot(post(Body::from("abc"))).await.unwrap();
    assert_eq!(response.into_body().bytes().await.unwrap(), "3 Some(\"3\") None");
}
