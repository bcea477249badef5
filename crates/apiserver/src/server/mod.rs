//! A running server.

mod client;
mod connections;
mod manifests;
mod storage;
mod tls;
mod web_pages;
mod webhooks;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_client::{Error, RestClient, RestClientOptions};
use client_rs_transport::Secret;
use client_rs_transport::http::Dial;
use tokio::io::{DuplexStream, duplex};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use crate::access::flow::Flow;
use crate::access::{self, Access, Gate};
use crate::admission::Webhooks;
use crate::controls::{Controls, TestControls};
use crate::http::Api;
use crate::outbound::Outbound;
use crate::request::User;
use client::Ended;
use connections::Connections;
pub use storage::{ServerStorage, Storage, StorageOptions};
use tls::Tls;
use web_pages::WebPages;

client_rs_machinery::options! {
    /// How a [`Server`] is started.
    #[derive(Clone, Debug)]
    pub struct ServerOptions {
        /// Where to listen; `None` for nowhere: then only [`Server::connect`] reaches it. Default: a free port of the
        /// loopback address.
        pub listen: Option<SocketAddr> => with_listen,
        /// The objects that it serves: a storage of its own, or one that servers share. Default: its own, as
        /// [`StorageOptions::default`] makes it.
        pub storage: ServerStorage => with_storage,
        /// Whether TCP connections speak TLS, with a certificate made at start for `localhost` and the loopback addresses:
        /// [`Server::kubeconfig`] and [`Server::authority`] hold what a client needs to trust it. Connections in memory
        /// never do. Default: false.
        pub tls: bool => with_tls,
        /// Who may do what. Default: everyone everything.
        pub access: Access => with_access,
        /// The part of all HTTP/2 requests, from 0 to 1, after which the client is told by GOAWAY to go on over a new
        /// connection, as `--goaway-chance` of the real server; what is open on the old one ends as ever. Default: 0.
        pub goaway_chance: f64 => with_goaway_chance,
        /// Names besides `localhost` and its own address by which clients reach it over HTTP without TLS, such as that of a
        /// container's host; `*` for any. A request for another name is refused with 403, since it may come from a web page
        /// that has its own name resolve to this machine. Default: none.
        pub accept_hosts: Vec<String> => with_accept_hosts,
        /// Origins whose web pages may talk to it, such as `http://localhost:3000`; `*` for any. Those of other pages are
        /// refused with 403, `WebSocket`s included. Default: none.
        pub accept_origins: Vec<String> => with_accept_origins,
        /// How many connections over TCP it has at once; others wait to be accepted. Default: 4,096.
        pub max_connections: usize => with_max_connections,
        /// Whether nodes, pods and endpoints of services may be on this machine, for tests whose kubelets and backends are: on
        /// the loopback address, or on an address for documentation or benchmarks that an interface of this machine has.
        /// Otherwise logs, commands, ports, proxies and webhooks of services are refused there. Webhooks by URL may always be on
        /// the loopback address. Link-local and multicast addresses, and documentation addresses of others, are never dialled.
        /// Default: false.
        pub dial_loopback: bool => with_dial_loopback,
        /// Who opens the connections that the server makes, to kubelets, pods, services and webhooks. It is given addresses,
        /// not names: only those that were looked up and may be dialled. Default: TCP.
        pub dial: Option<Arc<dyn Dial>> => with_dial,
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            storage: ServerStorage::default(),
            tls: false,
            access: Access::Open,
            goaway_chance: 0.0,
            accept_hosts: Vec::new(),
            accept_origins: Vec::new(),
            max_connections: 4096,
            dial_loopback: false,
            dial: None,
        }
    }
}

/// An API server in this process.
///
/// Commands, attachments, ports and logs of a pod are passed on to the kubelet of its node, where the node's status names
/// one. Nothing is dialled that no registered node, pod, service or webhook names; see [`ServerOptions::dial_loopback`].
///
/// Over TCP it takes no requests that a web page could have sent: see [`ServerOptions::accept_hosts`] and
/// [`ServerOptions::accept_origins`]. A body without `Content-Type` is read as JSON, as by the real server, but not from a
/// browser. Clients that do nothing with a connection lose it.
///
/// It speaks HTTP/1.1 and HTTP/2 (without TLS, to clients that know beforehand), and lets everyone do everything unless
/// [`ServerOptions::access`] says otherwise. It keeps its objects in memory and forgets them at its end. Dropping it ends it at once, open requests included;
/// [`shutdown`](Self::shutdown) also waits until that is done.
///
/// ```
/// # use client_rs_apiserver::{Server, ServerOptions};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let server = Server::start().await?;
/// let url = server.url().expect("it listens by default");
/// assert!(url.starts_with("http://127.0.0.1:"));
/// server.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "the server stops when this is dropped: end with `shutdown`"]
pub struct Server {
    address: Option<SocketAddr>,
    tls: Option<Tls>,
    connections: Arc<Connections>,
    controls: TestControls,
    api: Arc<Api>,
    /// The token of [`Server::kubeconfig`].
    admin: Secret,
    ended: Ended,
    accepting: Option<JoinHandle<()>>,
    storage: Storage,
}

/// How much an in-memory connection holds in each direction before its writer waits.
const DUPLEX_BUFFER: usize = 64 * 1024;

impl Server {
    /// Starts a server on the current runtime; it is ready when this returns. Fails where it can't listen.
    ///
    /// Several servers over the same objects:
    ///
    /// ```
    /// # use client_rs_apiserver::{Server, ServerOptions, Storage, StorageOptions};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let storage = Storage::new(StorageOptions::default())?;
    /// let one = Server::start_with(ServerOptions::default().with_storage((&storage).into())).await?;
    /// let other = Server::start_with(ServerOptions::default().with_storage((&storage).into())).await?;
    /// assert_ne!(one.url(), other.url());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn start() -> io::Result<Self> {
        Self::start_with(ServerOptions::default()).await
    }

    /// As [`start`](Self::start), with options.
    pub async fn start_with(options: ServerOptions) -> io::Result<Self> {
        let storage = match options.storage {
            ServerStorage::Own(options) => Storage::new(options)?,
            ServerStorage::Shared(storage) => storage,
        };
        let listener = match options.listen {
            Some(address) => Some(TcpListener::bind(address).await?),
            None => None,
        };
        let address = listener.as_ref().map(TcpListener::local_addr).transpose()?;
        let authority = storage.authority();
        let tls = if options.tls { Some(Tls::new(authority)?) } else { None };
        let controls = Arc::new(Controls::default());
        let outbound = Outbound::new(options.dial, options.dial_loopback);
        if options.access == Access::Open
            && let Some(address) = address.filter(|address| !address.ip().is_loopback())
        {
            tracing::warn!(
                %address,
                "anyone who reaches this address may do everything on the embedded API server: \
                 listen on loopback, or set ServerOptions::access and ServerOptions::tls"
            );
        }
        let api = Arc::new(Api {
            registry: Arc::clone(storage.registry()),
            controllers: Arc::clone(storage.controllers()),
            controls: Arc::clone(&controls),
            scheme: client_rs_api::scheme(),
            metrics: Arc::default(),
            address: address.map_or_else(|| "localhost".to_owned(), |address| address.to_string()),
            gate: Gate::new(options.access, Arc::clone(storage.tokens())),
            authority: Arc::clone(authority),
            relays: Mutex::default(),
            flow: Flow::default(),
            webhooks: Arc::new(Webhooks::new(outbound.clone())),
            outbound,
        });
        let admin = access::new_token()?;
        api.gate.tokens.add(admin.expose().to_owned(), administrator());
        let web_pages = WebPages { hosts: options.accept_hosts, origins: options.accept_origins };
        let connections =
            Connections::new(Arc::clone(&api), options.goaway_chance, web_pages, options.max_connections);
        let connections = Arc::new(connections);
        let accepting =
            listener.map(|listener| tokio::spawn(Arc::clone(&connections).accept(listener, tls.clone())));
        storage.run();
        Ok(Self {
            address,
            tls,
            accepting,
            connections,
            controls: TestControls::new(Arc::clone(&api.registry), Arc::clone(&api.controllers), controls),
            api,
            admin,
            ended: Ended::default(),
            storage,
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
        self.api.gate.tokens.add(token.into(), user);
    }

    /// Takes a bearer token back: whoever shows it is unknown from now on. False if it was not known.
    pub fn remove_token(&self, token: &str) -> bool {
        self.api.gate.tokens.remove(token)
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
        self.admin.expose()
    }

    /// A kubeconfig for it, in YAML, if it listens: one context, with the token of a user who may do everything.
    ///
    /// ```
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let server = Server::start().await?;
    /// let kubeconfig = server.kubeconfig().expect("it listens by default");
    /// assert!(kubeconfig.contains(&format!("server: {}", server.url().unwrap())));
    /// # Ok(())
    /// # }
    /// ```
    pub fn kubeconfig(&self) -> Option<String> {
        self.kubeconfig_of(&format!("    token: {}\n", self.admin.expose()))
    }

    /// As [`kubeconfig`](Self::kubeconfig), with a client certificate of the same user too, for clients that can't send a
    /// token. Fails on a server without TLS.
    pub fn kubeconfig_with_certificate(&self) -> io::Result<Option<String>> {
        let (certificate, key) = self.issue_certificate(&administrator())?;
        Ok(self.kubeconfig_of(&format!(
            "    client-certificate-data: {}\n    client-key-data: {}\n    token: {}\n",
            STANDARD.encode(certificate),
            STANDARD.encode(key),
            self.admin.expose()
        )))
    }

    fn kubeconfig_of(&self, credentials: &str) -> Option<String> {
        let url = self.url()?;
        let authority = self.authority().map(|pem| STANDARD.encode(pem));
        let authority =
            authority.map(|data| format!("    certificate-authority-data: {data}\n")).unwrap_or_default();
        Some(format!(
            "apiVersion: v1\nkind: Config\nclusters:\n- name: embedded\n  cluster:\n    server: {url}\n{authority}users:\n\
             - name: admin\n  user:\n{credentials}contexts:\n- name: embedded\n  context:\n    cluster: embedded\n    \
             user: admin\ncurrent-context: embedded\n"
        ))
    }

    /// A client of it in this process, as a user who may do everything: requests are calls, without a connection. Works
    /// with a paused clock. Without limits on the rate of requests.
    pub fn rest_client(&self) -> Result<RestClient, Error> {
        self.rest_client_as(administrator())
    }

    /// As [`rest_client`](Self::rest_client), as this user.
    pub fn rest_client_as(&self, user: User) -> Result<RestClient, Error> {
        client::rest_client(&self.api, &self.ended, user, RestClientOptions::default())
    }

    /// A connection to it in memory, without a socket. Works with a paused clock too.
    pub fn connect(&self) -> DuplexStream {
        let (ours, theirs) = duplex(DUPLEX_BUFFER);
        self.connections.open_in_memory(theirs);
        ours
    }

    /// What a test can do to it besides talking to it.
    pub fn controls(&self) -> TestControls {
        self.controls.clone()
    }

    /// Ends it and waits until every connection is closed.
    pub async fn shutdown(mut self) {
        let (connections, controllers) = (self.stop(), self.storage.stop_if_last());
        if let Some(accepting) = &mut self.accepting {
            let _ = accepting.await;
        }
        if let Some(mut connections) = connections {
            connections.shutdown().await;
        }
        if let Some(controllers) = controllers {
            let _ = controllers.await;
        }
    }

    /// Its storage, for other servers over the same objects.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Ends it; what is given ends its connections when it is dropped.
    fn stop(&self) -> Option<JoinSet<()>> {
        self.ended.store(true, Ordering::Relaxed);
        // Those of clients in this process have no connection that would end them.
        self.controls.drop_watches();
        if let Some(accepting) = &self.accepting {
            accepting.abort();
        }
        self.api.relays.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
        // The storage may live on, and with it its tokens.
        self.api.gate.tokens.remove(self.admin.expose());
        self.connections.end()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop());
    }
}

/// Who may do everything.
fn administrator() -> User {
    User::new("admin", ["system:masters"])
}
