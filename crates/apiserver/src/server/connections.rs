//! The connections of a server: how they are accepted, and their timeouts.
//!
//! A TCP client may keep a connection as long as it uses it, but can't block a connection or a request by doing
//! nothing. There are timeouts for the TLS handshake, for the first request, for each head and body, and for HTTP/2
//! pings. Connections in memory belong to this process, whose clock is often paused, so they have no timeouts.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use rustls::pki_types::UnixTime;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

use super::tls::Tls;
use super::web_pages::{Listener, WebPages};
use crate::access;
use crate::http::{Api, ConnectionPermit, Peer, refusal};

/// The timeout of the TLS handshake.
const HANDSHAKE_MAX: Duration = Duration::from_secs(10);
/// The timeout of the first request after the handshake.
const FIRST_REQUEST_MAX: Duration = Duration::from_secs(30);
/// The timeout of a request's head, and of idle connections, in HTTP/1.
const HEAD_MAX: Duration = Duration::from_secs(30);
/// The timeout of a request's body.
const BODY_MAX: Duration = Duration::from_mins(1);
/// The interval of HTTP/2 pings, and the timeout of their response.
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_MAX: Duration = Duration::from_secs(20);
/// The largest number of concurrent requests per HTTP/2 connection.
const STREAMS_MAX: u32 = 1000;

/// The bytes of a connection. A trait object, so that the HTTP implementation is compiled once for all kinds of connections.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// The connections of a server, one task per connection.
#[derive(Debug)]
pub(crate) struct Connections {
    /// `None` once the server has stopped.
    open: Mutex<Option<JoinSet<()>>>,
    runtime: Handle,
    api: Arc<Api>,
    goaway_chance: f64,
    web_pages: WebPages,
    /// The permits for TCP connections.
    room: Arc<Semaphore>,
}

impl Connections {
    /// Creates an empty set, with at most `most` TCP connections.
    pub(crate) fn new(api: Arc<Api>, goaway_chance: f64, web_pages: WebPages, most: usize) -> Self {
        Self {
            open: Mutex::new(Some(JoinSet::new())),
            runtime: Handle::current(),
            api,
            goaway_chance,
            web_pages,
            room: Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS))),
        }
    }

    /// Accepts connections forever. At the limit, new connections wait to be accepted.
    pub(crate) async fn accept(self: Arc<Self>, listener: TcpListener, tls: Option<Tls>) {
        loop {
            if self.room.available_permits() == 0 {
                tracing::warn!(
                    "connection limit reached: new connections wait; see ServerOptions::max_connections"
                );
            }
            // The semaphore is never closed.
            let Ok(permit) = Arc::clone(&self.room).acquire_owned().await else { return };
            let accepted = accept_tcp(&listener).await;
            let _ = accepted.set_nodelay(true);
            let (tls, held) = (tls.clone(), ConnectionPermit::new(permit));
            self.open(|connections| connections.serve_tcp(accepted, tls, held));
        }
    }

    /// Serves a connection in memory. If the server has stopped, the connection is closed at once.
    pub(crate) fn open_in_memory(self: &Arc<Self>, stream: DuplexStream) {
        self.open(|connections| connections.serve(Box::new(stream), Peer::default(), None));
    }

    /// Stops accepting connections. Dropping the returned set closes the open ones.
    pub(crate) fn end(&self) -> Option<JoinSet<()>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn open<F>(self: &Arc<Self>, serve: impl FnOnce(Arc<Self>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = open.as_mut() else { return };
        // Reap the tasks of closed connections.
        while open.try_join_next().is_some() {}
        open.spawn_on(serve(Arc::clone(self)), &self.runtime);
    }

    async fn serve_tcp(self: Arc<Self>, stream: TcpStream, tls: Option<Tls>, held: ConnectionPermit) {
        let listener = Listener { address: stream.local_addr().ok().map(|own| own.ip()), tls: tls.is_some() };
        let over_tcp = Some((listener, held));
        let peer = Peer { body_max: Some(BODY_MAX), ..Peer::default() };
        let Some(tls) = tls else { return self.serve(Box::new(stream), peer, over_tcp).await };
        match tokio::time::timeout(HANDSHAKE_MAX, tls.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => {
                let chain = stream.get_ref().1.peer_certificates().unwrap_or_default();
                let now = u64::try_from(self.api.registry.clock().now().seconds()).unwrap_or_default();
                let now = UnixTime::since_unix_epoch(Duration::from_secs(now));
                let user = access::certificate_user(&*tls.clients, chain, now);
                let unknown_certificate = !chain.is_empty() && user.is_none();
                self.serve(Box::new(stream), Peer { user, unknown_certificate, ..peer }, over_tcp).await;
            }
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake timed out"),
        }
    }

    async fn serve(
        self: Arc<Self>,
        stream: Box<dyn Stream>,
        peer: Peer,
        over_tcp: Option<(Listener, ConnectionPermit)>,
    ) {
        let (peer, go_away, asked) =
            (Arc::new(peer), Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new());
        builder.http2().timer(TokioTimer::new()).max_concurrent_streams(STREAMS_MAX);
        let limited = over_tcp.is_some();
        if limited {
            builder.http1().header_read_timeout(HEAD_MAX);
            builder.http2().keep_alive_interval(PING_EVERY).keep_alive_timeout(PING_MAX);
        }
        let (connections, leaving, met) = (Arc::clone(&self), Arc::clone(&go_away), Arc::clone(&asked));
        let service = service_fn(move |mut request: http::Request<hyper::body::Incoming>| {
            met.store(true, Ordering::Relaxed);
            let chance = connections.goaway_chance;
            if chance > 0.0 && request.version() == http::Version::HTTP_2 && fastrand::f64() < chance {
                leaving.notify_one();
            }
            let refused = over_tcp.as_ref().and_then(|(listener, held)| {
                request.extensions_mut().insert(held.clone());
                connections.web_pages.check(&request, *listener).err()
            });
            let (api, peer) = (Arc::clone(&connections.api), Arc::clone(&peer));
            async move {
                Ok::<_, Infallible>(match refused {
                    Some(error) => refusal(error),
                    None => api.answer(request, peer).await,
                })
            }
        });
        let mut connection = pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), service));
        // Close a connection that sends nothing, or never completes a request.
        let mut silence = pin!(async {
            if limited {
                tokio::time::sleep(FIRST_REQUEST_MAX).await;
            } else {
                std::future::pending::<()>().await;
            }
        });
        let mut waits = true;
        let ended = loop {
            tokio::select! {
                ended = connection.as_mut() => break ended,
                () = go_away.notified() => connection.as_mut().graceful_shutdown(),
                () = silence.as_mut(), if waits => {
                    waits = false;
                    if !asked.load(Ordering::Relaxed) {
                        tracing::debug!("connection closed: no request in time");
                        return;
                    }
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "connection failed");
        }
    }
}

async fn accept_tcp(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // The connection broke before it was accepted, or there are no file descriptors left. Try the next one.
            Err(error) => {
                tracing::warn!(%error, "can't accept a connection");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}
