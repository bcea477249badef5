//! A running server.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_client::{Error, RestClient, RestClientOptions};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use rustls::pki_types::UnixTime;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

use crate::api::{Api, Peer};
use crate::auth::{self, Access, Gate, User};
use crate::client::{self, Ended};
use crate::controls::{Controls, TestControls};
use crate::registry::Registry;
use crate::tls::Tls;

/// How a [`Server`] is started.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen; `None` for nowhere: then only [`Server::connect`] reaches it. Default: a free port of the
    /// loopback address.
    pub listen: Option<SocketAddr>,
    /// How many changes are kept for watches and for lists of old versions; older ones are answered with 410. This
    /// bounds the memory that history takes, and how far a slow watch may fall behind. Default: 32,768.
    pub history: usize,
    /// Whether TCP connections speak TLS, with a certificate made at start for `localhost` and the loopback addresses:
    /// [`Server::kubeconfig`] and [`Server::authority`] hold what a client needs to trust it. Connections in memory
    /// never do. Default: false.
    pub tls: bool,
    /// Whether dependents of deleted objects are collected and deleted namespaces emptied, which in a real cluster
    /// controllers do. Default: true.
    pub collect_garbage: bool,
    /// Whether each namespace has the service account `default` and the config map `kube-root-ca.crt`, and each pod its
    /// account's token, as in a real cluster. Default: false, so that a test finds only what it made.
    pub populate: bool,
    /// Who may do what. Default: everyone everything.
    pub access: Access,
    /// Versions that are off by default, such as `coordination.k8s.io/v1beta1`, as `--runtime-config` switches them on. Of a
    /// resource that is served already, another version is not. Default: none.
    pub also_serve: Vec<String>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            history: 32_768,
            tls: false,
            collect_garbage: true,
            populate: false,
            access: Access::Open,
            also_serve: Vec::new(),
        }
    }
}

/// An API server in this process.
///
/// It speaks HTTP/1.1 and HTTP/2 (without TLS, to clients that know beforehand), and lets everyone do everything unless
/// [`ServerOptions::access`] says otherwise. It keeps its objects in memory and forgets them at its end. Dropping it ends it at once, open requests included;
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
    tls: Option<Tls>,
    connections: mpsc::UnboundedSender<DuplexStream>,
    controls: TestControls,
    api: Arc<Api>,
    /// The token of [`Server::kubeconfig`].
    admin: String,
    ended: Ended,
    accepting: JoinHandle<()>,
    collecting: Option<JoinHandle<()>>,
}

/// How much an in-memory connection holds in each direction before its writer waits.
const DUPLEX_BUFFER: usize = 64 * 1024;
/// How long a client may take to agree on TLS.
const HANDSHAKE_MAX: Duration = Duration::from_secs(10);

impl Server {
    /// Starts a server on the current runtime; it is ready when this returns. Fails where it can't listen.
    pub async fn start(options: ServerOptions) -> io::Result<Self> {
        let listener = match options.listen {
            Some(address) => Some(TcpListener::bind(address).await?),
            None => None,
        };
        let address = listener.as_ref().map(TcpListener::local_addr).transpose()?;
        let tls = if options.tls { Some(Tls::new()?) } else { None };
        let registry = Arc::new(Registry::new(options.history, options.populate, &options.also_serve));
        let controls = Arc::new(Controls::default());
        let api = Arc::new(Api {
            registry: Arc::clone(&registry),
            controls: Arc::clone(&controls),
            scheme: client_rs_api::scheme(),
            metrics: Arc::default(),
            address: address.map_or_else(|| "localhost".to_owned(), |address| address.to_string()),
            gate: Gate::new(options.access),
        });
        auth::create_bootstrap_roles(&registry);
        let admin = crate::registry::new_uid();
        api.gate.tokens.give(admin.clone(), User::new("admin", ["system:masters"]));
        let (connections, incoming) = mpsc::unbounded_channel();
        let collecting = options.collect_garbage.then(|| tokio::spawn(collect(Arc::clone(&registry))));
        Ok(Self {
            address,
            tls: tls.clone(),
            connections,
            controls: TestControls::new(registry, controls),
            api: Arc::clone(&api),
            admin,
            ended: Ended::default(),
            accepting: tokio::spawn(accept(listener, tls, incoming, api)),
            collecting,
        })
    }

    /// Where it listens, if it does.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Its URL, if it listens.
    pub fn url(&self) -> Option<String> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        self.address.map(|address| format!("{scheme}://{address}"))
    }

    /// The authority that signed its certificate, in PEM, if it speaks TLS.
    pub fn authority(&self) -> Option<&str> {
        self.tls.as_ref().map(|tls| &*tls.authority)
    }

    /// Lets a bearer token stand for a user. Works while the server runs.
    pub fn add_token(&self, token: impl Into<String>, user: User) {
        self.api.gate.tokens.give(token.into(), user);
    }

    /// Takes a bearer token back: whoever shows it is unknown from now on. False if it was not known.
    pub fn remove_token(&self, token: &str) -> bool {
        self.api.gate.tokens.take(token)
    }

    /// A client certificate and its key, both in PEM, by which a user is known: the name is its common name, the groups
    /// are its organizations. Fails on a server without TLS.
    pub fn issue_certificate(&self, user: &User) -> io::Result<(String, String)> {
        match &self.tls {
            Some(tls) => tls.issue(user),
            None => Err(io::Error::new(io::ErrorKind::Unsupported, "certificates need ServerOptions::tls")),
        }
    }

    /// The bearer token of a user who may do everything, new with each server.
    pub fn admin_token(&self) -> &str {
        &self.admin
    }

    /// A kubeconfig for it, in YAML, if it listens: one context, with the token of a user who may do everything.
    ///
    /// ```
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let server = Server::start(ServerOptions::default()).await?;
    /// let kubeconfig = server.kubeconfig().expect("it listens by default");
    /// assert!(kubeconfig.contains(&format!("server: {}", server.url().unwrap())));
    /// # Ok(())
    /// # }
    /// ```
    pub fn kubeconfig(&self) -> Option<String> {
        let url = self.url()?;
        let authority = self.authority().map(|pem| STANDARD.encode(pem));
        let authority =
            authority.map(|data| format!("    certificate-authority-data: {data}\n")).unwrap_or_default();
        Some(format!(
            "apiVersion: v1\nkind: Config\nclusters:\n- name: embedded\n  cluster:\n    server: {url}\n{authority}users:\n\
             - name: admin\n  user:\n    token: {}\ncontexts:\n- name: embedded\n  context:\n    cluster: embedded\n    \
             user: admin\ncurrent-context: embedded\n",
            self.admin
        ))
    }

    /// A client of it in this process, as a user who may do everything: requests are calls, without a connection. Works
    /// with a paused clock. Without limits on the rate of requests.
    pub fn rest_client(&self) -> Result<RestClient, Error> {
        self.rest_client_as(User::new("admin", ["system:masters"]))
    }

    /// As [`rest_client`](Self::rest_client), as this user.
    pub fn rest_client_as(&self, user: User) -> Result<RestClient, Error> {
        let options = RestClientOptions { limiter: None, ..RestClientOptions::default() };
        client::rest_client(&self.api, &self.ended, user, options)
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
        self.ended.store(true, Ordering::Relaxed);
        // Those of clients in this process have no connection that would end them.
        self.controls.drop_watches();
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
    tls: Option<Tls>,
    mut incoming: mpsc::UnboundedReceiver<DuplexStream>,
    api: Arc<Api>,
) {
    // Dropped with this task, and the connections with it.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = accept_tcp(listener.as_ref()) => {
                let _ = accepted.set_nodelay(true);
                connections.spawn(serve_tcp(accepted, tls.clone(), Arc::clone(&api)));
            }
            Some(stream) = incoming.recv() => {
                connections.spawn(serve(stream, Peer::default(), Arc::clone(&api)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn accept_tcp(listener: Option<&TcpListener>) -> TcpStream {
    let Some(listener) = listener else { return std::future::pending().await };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // A connection that broke before it was accepted, or no file left for it: the next one may do better.
            Err(error) => {
                tracing::warn!(%error, "can't accept a connection");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

async fn serve_tcp(stream: TcpStream, tls: Option<Tls>, api: Arc<Api>) {
    let Some(tls) = tls else { return serve(stream, Peer::default(), api).await };
    match tokio::time::timeout(HANDSHAKE_MAX, tls.acceptor.accept(stream)).await {
        Ok(Ok(stream)) => {
            let chain = stream.get_ref().1.peer_certificates().unwrap_or_default();
            let user = auth::certificate_user(&*tls.clients, chain, UnixTime::now());
            let strange = !chain.is_empty() && user.is_none();
            serve(stream, Peer { user, strange }, api).await;
        }
        Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
        Err(_) => tracing::debug!("a TLS handshake took too long"),
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(stream: S, peer: Peer, api: Arc<Api>) {
    let peer = Arc::new(peer);
    let service = service_fn(move |request| {
        let (api, peer) = (Arc::clone(&api), Arc::clone(&peer));
        async move { Ok::<_, Infallible>(api.answer(request, peer).await) }
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new());
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(1000);
    if let Err(error) = builder.serve_connection(TokioIo::new(stream), service).await {
        tracing::debug!(%error, "a connection broke");
    }
}
