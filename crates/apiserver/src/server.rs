//! A running server.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
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
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};

use crate::api::{Api, Peer};
use crate::auth::{self, Access, Gate, User};
use crate::authority::Authority;
use crate::client::{self, Ended};
use crate::controls::{Controls, TestControls};
use crate::flow::{self, Flow};
use crate::registry::{Registry, RegistryOptions};
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
    /// The part of all HTTP/2 requests, from 0 to 1, after which the client is told by GOAWAY to go on over a new
    /// connection, as `--goaway-chance` of the real server; what is open on the old one ends as ever. Default: 0.
    pub goaway_chance: f64,
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
            goaway_chance: 0.0,
        }
    }
}

/// An API server in this process.
///
/// Commands, attachments, ports and logs of a pod are passed on to the kubelet of its node, where the node's status names
/// one.
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
    connections: Arc<Connections>,
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
        let authority = Authority::default();
        let tls = if options.tls { Some(Tls::new(&authority)?) } else { None };
        let kept = RegistryOptions {
            history: options.history,
            populates: options.populate,
            collects: options.collect_garbage,
        };
        let registry = Arc::new(Registry::new(kept, &options.also_serve));
        let controls = Arc::new(Controls::default());
        let api = Arc::new(Api {
            registry: Arc::clone(&registry),
            controls: Arc::clone(&controls),
            scheme: client_rs_api::scheme(),
            metrics: Arc::default(),
            address: address.map_or_else(|| "localhost".to_owned(), |address| address.to_string()),
            gate: Gate::new(options.access),
            authority,
            relays: Mutex::default(),
            flow: Flow::default(),
            hooks: Arc::default(),
        });
        auth::create_bootstrap_roles(&registry);
        flow::create_bootstrap_flows(&registry);
        let admin = crate::registry::new_uid();
        api.gate.tokens.give(admin.clone(), User::new("admin", ["system:masters"]));
        let connections = Arc::new(Connections {
            open: Mutex::new(Some(JoinSet::new())),
            runtime: Handle::current(),
            api: Arc::clone(&api),
            goaway_chance: options.goaway_chance,
        });
        let collecting = options.collect_garbage.then(|| tokio::spawn(collect(Arc::clone(&registry))));
        Ok(Self {
            address,
            tls: tls.clone(),
            accepting: tokio::spawn(accept(listener, tls, Arc::clone(&connections))),
            connections,
            controls: TestControls::new(registry, controls),
            api,
            admin,
            ended: Ended::default(),
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

    /// The key of that authority, in PEM, if it speaks TLS: for certificates that [`issue_certificate`](Self::issue_certificate)
    /// does not make, such as expired ones. The authority's name is the one in its certificate.
    pub fn authority_key(&self) -> Option<String> {
        self.tls.as_ref().and_then(|_| self.api.authority.key().ok())
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
            Some(_) => self.api.authority.issue(user),
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
        self.connections.open(|connections| connections.serve(theirs, Peer::default()));
        ours
    }

    /// What a test can do to it besides talking to it.
    pub fn controls(&self) -> TestControls {
        self.controls.clone()
    }

    /// Ends it and waits until every connection is closed.
    pub async fn shutdown(mut self) {
        let connections = self.stop();
        let _ = (&mut self.accepting).await;
        if let Some(mut connections) = connections {
            connections.shutdown().await;
        }
        if let Some(collecting) = &mut self.collecting {
            let _ = collecting.await;
        }
    }

    /// Ends it; what is given ends its connections when it is dropped.
    fn stop(&self) -> Option<JoinSet<()>> {
        self.ended.store(true, Ordering::Relaxed);
        // Those of clients in this process have no connection that would end them.
        self.controls.drop_watches();
        self.accepting.abort();
        self.api.relays.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
        if let Some(collecting) = &self.collecting {
            collecting.abort();
        }
        self.connections.end()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop());
    }
}

/// The connections of a server, a task each.
#[derive(Debug)]
struct Connections {
    /// `None` once the server has ended.
    open: Mutex<Option<JoinSet<()>>>,
    runtime: Handle,
    api: Arc<Api>,
    goaway_chance: f64,
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

async fn accept(listener: Option<TcpListener>, tls: Option<Tls>, connections: Arc<Connections>) {
    let Some(listener) = listener else { return };
    loop {
        let accepted = accept_tcp(&listener).await;
        let _ = accepted.set_nodelay(true);
        let tls = tls.clone();
        connections.open(|connections| connections.serve_tcp(accepted, tls));
    }
}

async fn accept_tcp(listener: &TcpListener) -> TcpStream {
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

impl Connections {
    /// Begins to serve a connection; on a server that has ended it is closed at once.
    fn open<F>(self: &Arc<Self>, serve: impl FnOnce(Arc<Self>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = open.as_mut() else { return };
        // Those that are over, which nobody else asks about.
        while open.try_join_next().is_some() {}
        open.spawn_on(serve(Arc::clone(self)), &self.runtime);
    }

    /// Takes no more connections. Those that there are end when what is given is dropped.
    fn end(&self) -> Option<JoinSet<()>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    async fn serve_tcp(self: Arc<Self>, stream: TcpStream, tls: Option<Tls>) {
        let Some(tls) = tls else { return self.serve(stream, Peer::default()).await };
        match tokio::time::timeout(HANDSHAKE_MAX, tls.acceptor.accept(stream)).await {
            Ok(Ok(stream)) => {
                let chain = stream.get_ref().1.peer_certificates().unwrap_or_default();
                let now = u64::try_from(self.api.registry.clock().now().seconds()).unwrap_or_default();
                let now = UnixTime::since_unix_epoch(Duration::from_secs(now));
                let user = auth::certificate_user(&*tls.clients, chain, now);
                let strange = !chain.is_empty() && user.is_none();
                self.serve(stream, Peer { user, strange }).await;
            }
            Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
            Err(_) => tracing::debug!("a TLS handshake took too long"),
        }
    }

    async fn serve<S>(self: Arc<Self>, stream: S, peer: Peer)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (peer, go_away) = (Arc::new(peer), Arc::new(Notify::new()));
        let (connections, leaving) = (Arc::clone(&self), Arc::clone(&go_away));
        let service = service_fn(move |request: http::Request<_>| {
            let chance = connections.goaway_chance;
            if chance > 0.0 && request.version() == http::Version::HTTP_2 && fastrand::f64() < chance {
                leaving.notify_one();
            }
            let (api, peer) = (Arc::clone(&connections.api), Arc::clone(&peer));
            async move { Ok::<_, Infallible>(api.answer(request, peer).await) }
        });
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new());
        builder.http2().timer(TokioTimer::new()).max_concurrent_streams(1000);
        let mut connection = pin!(builder.serve_connection_with_upgrades(TokioIo::new(stream), service));
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = go_away.notified() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection broke");
        }
    }
}
