//! A running server.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, duplex};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

use crate::controls::{Controls, TestControls};
use crate::http::Api;
use crate::registry::Registry;

/// How a [`Server`] is started.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen; `None` for nowhere: then only [`Server::connect`] reaches it. Default: a free port of the
    /// loopback address.
    pub listen: Option<SocketAddr>,
    /// How many changes are kept for watches and for lists of old versions; older ones are answered with 410. This
    /// bounds the memory that history takes, and how far a slow watch may fall behind. Default: 32,768.
    pub history: usize,
    /// Whether dependents of deleted objects are collected and deleted namespaces emptied, which in a real cluster
    /// controllers do. Default: true.
    pub collect_garbage: bool,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            history: 32_768,
            collect_garbage: true,
        }
    }
}

/// An API server in this process.
///
/// It speaks HTTP/1.1 and HTTP/2 (with prior knowledge) without TLS, and lets everyone do everything. It keeps its
/// objects in memory and forgets them at its end. Dropping it ends it at once, open requests included;
/// [`shutdown`](Self::shutdown) also waits until that is done.
///
/// ```
/// # use client_rs_apiserver::{Server, ServerOptions};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let server = Server::start(ServerOptions::default()).await?;
/// let url = server.url().expect("it listens by default");
/// assert!(url.starts_with("http://127.0.0.1:"));
/// server.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Server {
    address: Option<SocketAddr>,
    connections: mpsc::UnboundedSender<DuplexStream>,
    controls: TestControls,
    accepting: JoinHandle<()>,
    collecting: Option<JoinHandle<()>>,
}

/// How much an in-memory connection holds in each direction before its writer waits.
const DUPLEX_BUFFER: usize = 64 * 1024;

impl Server {
    /// Starts a server on the current runtime; it is ready when this returns. Fails where it can't listen.
    pub async fn start(options: ServerOptions) -> io::Result<Self> {
        let listener = match options.listen {
            Some(address) => Some(TcpListener::bind(address).await?),
            None => None,
        };
        let address = listener.as_ref().map(TcpListener::local_addr).transpose()?;
        let registry = Arc::new(Registry::new(options.history));
        let controls = Arc::new(Controls::default());
        let api = Arc::new(Api {
            registry: Arc::clone(&registry),
            controls: Arc::clone(&controls),
            scheme: client_rs_api::scheme(),
            address: address.map_or_else(|| "localhost".to_owned(), |address| address.to_string()),
        });
        let (connections, incoming) = mpsc::unbounded_channel();
        let collecting = options.collect_garbage.then(|| tokio::spawn(collect(Arc::clone(&registry))));
        Ok(Self {
            address,
            connections,
            controls: TestControls::new(registry, controls),
            accepting: tokio::spawn(accept(listener, incoming, api)),
            collecting,
        })
    }

    /// Where it listens, if it does.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Its URL, if it listens.
    pub fn url(&self) -> Option<String> {
        self.address.map(|address| format!("http://{address}"))
    }

    /// A connection to it in memory, without a socket. Works with a paused clock too.
    pub fn connect(&self) -> DuplexStream {
        let (ours, theirs) = duplex(DUPLEX_BUFFER);
        // It only fails when the server has ended; the client then finds the connection closed.
        let _ = self.connections.send(theirs);
        ours
    }

    /// What a test can do to it besides talking to it.
    pub fn controls(&self) -> TestControls {
        self.controls.clone()
    }

    /// Ends it and waits until every connection is closed.
    pub async fn shutdown(mut self) {
        self.stop();
        let _ = (&mut self.accepting).await;
        if let Some(collecting) = &mut self.collecting {
            let _ = collecting.await;
        }
    }

    fn stop(&self) {
        self.accepting.abort();
        if let Some(collecting) = &self.collecting {
            collecting.abort();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn collect(registry: Arc<Registry>) {
    loop {
        registry.until_collectable().await;
        // Requests go on between two steps.
        while registry.collect_one() {
            tokio::task::yield_now().await;
        }
    }
}

async fn accept(
    listener: Option<TcpListener>,
    mut incoming: mpsc::UnboundedReceiver<DuplexStream>,
    api: Arc<Api>,
) {
    // Dropped with this task, and the connections with it.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = accept_tcp(listener.as_ref()) => {
                let _ = accepted.set_nodelay(true);
                connections.spawn(serve(accepted, Arc::clone(&api)));
            }
            Some(stream) = incoming.recv() => {
                connections.spawn(serve(stream, Arc::clone(&api)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn accept_tcp(listener: Option<&TcpListener>) -> tokio::net::TcpStream {
    let Some(listener) = listener else { return std::future::pending().await };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // A connection that broke before it was accepted, or no file left for it: the next one may do better.
            Err(error) => {
                tracing::warn!(%error, "can't accept a connection");
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        }
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(stream: S, api: Arc<Api>) {
    let service = service_fn(move |request| {
        let api = Arc::clone(&api);
        async move { Ok::<_, Infallible>(api.answer(request).await) }
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new());
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(1000);
    if let Err(error) = builder.serve_connection(TokioIo::new(stream), service).await {
        tracing::debug!(%error, "a connection broke");
    }
}
