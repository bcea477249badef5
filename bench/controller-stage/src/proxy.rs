//! The proxy between the operator and the server. It ends TLS, counts requests, and delays the bodies of watches: each
//! frame is sent exactly the lag after it came, in order. Everything else passes at once.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::Sleep;
use tokio_rustls::TlsAcceptor;

use crate::requests::{Outcome, Requests, Target};
use crate::tls;
use crate::users;

type AnyBody = BoxBody<Bytes, hyper::Error>;

pub(crate) struct Proxy {
    address: SocketAddr,
    authority: String,
}

struct Shared {
    client: Client<HttpConnector, Full<Bytes>>,
    /// The host and port of the server.
    server: String,
    lag: Duration,
    requests: Arc<Requests>,
}

impl Proxy {
    /// Starts it on a free port. It runs until the program ends.
    pub(crate) async fn start(server: &str, lag: Duration, requests: Arc<Requests>) -> Result<Self> {
        let server: Uri = server.parse()?;
        let server = server.authority().context("the server's URL has no host")?.to_string();
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).http2_only(true).build(connector);
        let (acceptor, authority) = tls::acceptor()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { client, server, lag, requests });
        tokio::spawn(async move {
            loop {
                // A failed accept is the client's problem, which shows there.
                if let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, acceptor.clone(), Arc::clone(&shared)));
                }
            }
        });
        Ok(Self { address, authority })
    }

    pub(crate) fn kubeconfig(&self) -> String {
        let authority = STANDARD.encode(&self.authority);
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: bench\n\
             clusters:\n- name: bench\n  cluster:\n    server: https://{}\n    certificate-authority-data: {authority}\n\
             users:\n- name: bench\n  user: {{}}\n\
             contexts:\n- name: bench\n  context:\n    cluster: bench\n    user: bench\n",
            self.address
        )
    }
}

async fn serve(stream: TcpStream, acceptor: TlsAcceptor, shared: Arc<Shared>) {
    // A client that goes away ends its connection.
    let _ = stream.set_nodelay(true);
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(shared.answer(request).await) }
    });
    let _ = auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
}

impl Shared {
    async fn answer(&self, request: Request<Incoming>) -> Response<AnyBody> {
        self.forward(request).await.unwrap_or_else(|error| {
            eprintln!("proxy: {error:#}");
            let body = Full::new(Bytes::from(format!("{error:#}"))).map_err(|never| match never {});
            let mut response = Response::new(body.boxed());
            *response.status_mut() = StatusCode::BAD_GATEWAY;
            response
        })
    }

    async fn forward(&self, request: Request<Incoming>) -> Result<Response<AnyBody>> {
        let at = Instant::now();
        let (mut head, body) = request.into_parts();
        let target = Target::new(head.method.as_str(), head.uri.path(), head.uri.query().unwrap_or_default());
        let body = body.collect().await.context("the request broke off")?.to_bytes();
        let number = users::number(head.uri.path().as_bytes()).or_else(|| users::number(&body));
        self.requests.sent(head.method.as_str(), &target, number, at);
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
        head.uri = format!("http://{}{path}", self.server).parse()?;
        head.version = hyper::Version::HTTP_2;
        for name in [CONNECTION, HOST, TRANSFER_ENCODING] {
            head.headers.remove(name);
        }
        let request = Request::from_parts(head, Full::new(body));
        let response = self.client.request(request).await.context("the server did not answer")?;
        let (mut head, body) = response.into_parts();
        head.version = hyper::Version::default();
        for name in [CONNECTION, TRANSFER_ENCODING] {
            head.headers.remove(name);
        }
        let body = if target.is_watch && head.status.is_success() {
            Watched::new(body, self.lag, &self.requests, target.resource).boxed()
        } else if target.is_write() && !head.status.is_success() {
            let body = body.collect().await.context("the response broke off")?.to_bytes();
            self.requests.answered(failure(head.status, &body));
            Full::new(body).map_err(|never| match never {}).boxed()
        } else {
            if target.is_write() {
                self.requests.answered(Outcome::Written);
            }
            body.boxed()
        };
        Ok(Response::from_parts(head, body))
    }
}

/// The reason is a word in the body, in JSON as in protobuf.
fn failure(status: StatusCode, body: &[u8]) -> Outcome {
    const REASON: &[u8] = b"AlreadyExists";
    if status != StatusCode::CONFLICT {
        Outcome::Failed
    } else if body.windows(REASON.len()).any(|window| window == REASON) {
        Outcome::Duplicate
    } else {
        Outcome::Conflict
    }
}

/// The body of a watch. The open watch counts until it is dropped.
struct Watched {
    frames: Frames,
    requests: Arc<Requests>,
    resource: String,
}

enum Frames {
    Direct(Incoming),
    Delayed(Delayed),
}

impl Watched {
    fn new(body: Incoming, lag: Duration, requests: &Arc<Requests>, resource: String) -> Self {
        requests.watch_began(&resource);
        let frames =
            if lag.is_zero() { Frames::Direct(body) } else { Frames::Delayed(Delayed::new(body, lag)) };
        Self { frames, requests: Arc::clone(requests), resource }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.requests.watch_ended(&self.resource);
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Received>> {
        match &mut self.frames {
            Frames::Direct(body) => Pin::new(body).poll_frame(context),
            Frames::Delayed(delayed) => delayed.poll(context),
        }
    }
}

type Received = Result<Frame<Bytes>, hyper::Error>;

/// Frames that wait for their time.
struct Delayed {
    /// Frames with the time when they are due.
    queue: mpsc::UnboundedReceiver<(tokio::time::Instant, Received)>,
    next: Option<(Pin<Box<Sleep>>, Received)>,
}

impl Delayed {
    /// Reads the body in a task of its own, so that each frame's time is that of its arrival.
    fn new<B>(mut body: B, lag: Duration) -> Self
    where
        B: Body<Data = Bytes, Error = hyper::Error> + Send + Unpin + 'static,
    {
        let (sender, queue) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            loop {
                let frame = tokio::select! {
                    frame = body.frame() => frame,
                    () = sender.closed() => None,
                };
                let Some(frame) = frame else { return };
                let due = tokio::time::Instant::now() + lag;
                if sender.send((due, frame)).is_err() {
                    return;
                }
            }
        });
        Self { queue, next: None }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Received>> {
        if self.next.is_none() {
            let Some((due, frame)) = ready!(self.queue.poll_recv(context)) else {
                return Poll::Ready(None);
            };
            self.next = Some((Box::pin(tokio::time::sleep_until(due)), frame));
        }
        if let Some((sleep, _)) = &mut self.next {
            ready!(sleep.as_mut().poll(context));
        }
        Poll::Ready(self.next.take().map(|(_, frame)| frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_refusals() {
        let conflict = StatusCode::CONFLICT;
        assert_eq!(failure(conflict, br#"{"reason":"AlreadyExists"}"#), Outcome::Duplicate);
        assert_eq!(failure(conflict, br#"{"reason":"Conflict"}"#), Outcome::Conflict);
        assert_eq!(failure(StatusCode::NOT_FOUND, b""), Outcome::Failed);
    }

    /// Two frames, 100 ms apart.
    struct Source {
        sent: u8,
        sleep: Option<Pin<Box<Sleep>>>,
    }

    impl Body for Source {
        type Data = Bytes;
        type Error = hyper::Error;

        fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Received>> {
            if self.sent == 2 {
                return Poll::Ready(None);
            }
            let sleep =
                self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(Duration::from_millis(100))));
            ready!(sleep.as_mut().poll(context));
            self.sleep = None;
            self.sent += 1;
            Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![self.sent])))))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn each_frame_is_late_by_the_lag_and_in_order() {
        let start = tokio::time::Instant::now();
        let mut delayed = Delayed::new(Source { sent: 0, sleep: None }, Duration::from_millis(500));
        for (number, due) in [(1, 600), (2, 700)] {
            let frame = std::future::poll_fn(|context| delayed.poll(context)).await.unwrap().unwrap();
            assert_eq!(frame.into_data().unwrap(), Bytes::from(vec![number]));
            assert_eq!(start.elapsed(), Duration::from_millis(due));
        }
        assert!(std::future::poll_fn(|context| delayed.poll(context)).await.is_none());
    }
}
