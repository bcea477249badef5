//! A running server.

mod client;
mod connections;
mod forks;
mod manifests;
mod snapshot;
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
use futures_util::future::BoxFuture;
use tokio::io::{DuplexStream, duplex};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use crate::access::flow::Flow;
use crate::access::{self, Access, Gate, PermissionLog};
use crate::admission::Webhooks;
use crate::controls::{Controls, TestControls};
use crate::http::{Api, Forks};
use crate::outbound::Outbound;
use crate::request::User;
use client::Ended;
use connections::Connections;
use forks::ForkServers;
pub use snapshot::RestoreError;
pub use storage::{ServerStorage, Storage, StorageOptions};
pub use tls::ServerCertificate;
use tls::Tls;
use web_pages::WebPages;

client_rs_machinery::options! {
    /// The options of a [`Server`]: where it listens, the objects that it serves, and who may do what.
    ///
    /// The defaults fit tests: a free port of the loopback address, its own storage, plain HTTP, and all rights for
    /// everyone.
    ///
    /// ```
    /// use client_rs_apiserver::{Access, Server, ServerOptions, StorageOptions, User};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let options = ServerOptions::default()
    ///     .with_tls(true)
    ///     .with_access(Access::Rbac)
    ///     .with_storage(StorageOptions::default().with_populate(true).into());
    /// let server = Server::start_with(options).await?;
    /// assert!(server.url().unwrap().starts_with("https://127.0.0.1:"));
    ///
    /// // A client certificate for a user in a group.
    /// let (certificate, key) = server.issue_certificate(&User::new("jane", ["developers"]))?;
    /// assert!(certificate.starts_with("-----BEGIN CERTIFICATE-----"));
    /// # drop(key);
    /// # server.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug)]
    pub struct ServerOptions {
        /// The TCP address; `None` for none. Then clients use [`Server::rest_client`] or [`Server::connect`].
        /// Default: a free port of the loopback address.
        pub listen: Option<SocketAddr> => with_listen,
        /// The objects that it serves: its own storage, or one that servers share. Default: its own, with
        /// [`StorageOptions::default`].
        pub storage: ServerStorage => with_storage,
        /// Whether TCP connections use TLS. The certificate is issued at start for `localhost` and the loopback
        /// addresses. [`Server::kubeconfig`] and [`Server::authority`] return the authority that clients must
        /// trust. In-memory connections never use TLS. Default: false.
        pub tls: bool => with_tls,
        /// The certificate of TLS connections, instead of one that is issued at start. Default: none.
        pub certificate: Option<ServerCertificate> => with_certificate,
        /// Authorities whose client certificates identify users, in PEM, like `--client-ca-file` of the real server.
        /// Certificates of [`Server::issue_certificate`] are accepted in addition. Default: none.
        pub client_authorities: Option<String> => with_client_authorities,
        /// Whether requests without a credential are those of an anonymous user, like `--anonymous-auth` of the real
        /// server. If not, they are refused with 401, unless the access is [`Access::Open`]. Default: true.
        pub anonymous: bool => with_anonymous,
        /// Authentication and authorization. Default: [`Access::Open`].
        pub access: Access => with_access,
        /// The fraction of HTTP/2 requests, from 0 to 1, after which the server sends GOAWAY, like
        /// `--goaway-chance` of the real server. The client then opens a new connection; requests on the old one
        /// complete. Default: 0.
        pub goaway_chance: f64 => with_goaway_chance,
        /// Host names of the server in addition to `localhost` and its own address, for clients without TLS, such
        /// as the name of a container's host; `*` for any. A request for another host is refused with 403, because
        /// it may come from a web page (DNS rebinding). Default: none.
        pub accept_hosts: Vec<String> => with_accept_hosts,
        /// Origins of web pages that may use the server, such as `http://localhost:3000`; `*` for any. Requests of
        /// other pages are refused with 403, including WebSockets. Default: none.
        pub accept_origins: Vec<String> => with_accept_origins,
        /// The largest number of TCP connections. At the limit, new ones wait to be accepted. Default: 4,096.
        pub max_connections: usize => with_max_connections,
        /// Whether the server may connect to nodes, pods and endpoints of services on this machine, for tests with
        /// their own kubelets and backends. This covers the loopback address, and addresses for documentation or
        /// benchmarks that an interface of this machine has. If false, logs, exec, port-forward, proxies and
        /// webhooks of services are refused there. Webhooks with a URL may always be on the loopback address.
        /// Link-local and multicast addresses, and documentation addresses of other machines, are never dialled.
        /// Default: false.
        pub dial_loopback: bool => with_dial_loopback,
        /// Opens the connections of the server to kubelets, pods, services and webhooks. It receives resolved
        /// addresses that passed the checks, never names. Default: TCP.
        pub dial: Option<Arc<dyn Dial>> => with_dial,
        /// The number of requests that [`TestControls::requests`] keeps: the latest ones. Default: 100,000.
        pub request_log: usize => with_request_log,
        /// Whether [`TestControls::permissions`] lists the permissions that requests needed. Also true if the environment
        /// variable [`RECORD_PERMISSIONS`](crate::RECORD_PERMISSIONS) is set. Default: false.
        pub record_permissions: bool => with_record_permissions,
        /// Whether clients can fork the storage: `POST /krs/forks` starts a server on another port of the same
        /// address, with the same options and credentials and the objects of that moment. The response has its `url`.
        /// `DELETE /krs/forks/PORT` stops it; otherwise it stops with this server. Both need rights for these paths.
        /// Default: false.
        pub forks: bool => with_forks,
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            storage: ServerStorage::default(),
            tls: false,
            certificate: None,
            client_authorities: None,
            anonymous: true,
            access: Access::Open,
            goaway_chance: 0.0,
            accept_hosts: Vec::new(),
            accept_origins: Vec::new(),
            max_connections: 4096,
            dial_loopback: false,
            dial: None,
            request_log: 100_000,
            record_permissions: false,
            forks: false,
        }
    }
}

/// An API server in this process.
///
/// Use it to test controllers and clients against a real API, for demos, and to work offline. To see or decide
/// single requests of a client in a unit test, use [`fake`](crate::fake) instead: it needs no server.
///
/// The server is ready when [`start`](Self::start) returns. Clients in the same process use
/// [`rest_client`](Self::rest_client), which needs no socket and works with tokio's paused clock. Other programs
/// use [`kubeconfig`](Self::kubeconfig) or [`url`](Self::url). Objects are in memory, and are lost when the server
/// stops, unless a [`Storage`] outlives it.
///
/// ```
/// use client_rs_api::core::v1::Namespace;
/// use client_rs_apiserver::Server;
/// use client_rs_client::{Api, RestClient};
/// use client_rs_transport::Config;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::start().await?;
///
/// // In the same process, without a socket:
/// let client = server.rest_client()?;
/// assert_eq!(Api::<Namespace>::cluster(&client).get("default").await?.metadata.name, "default");
///
/// // Over TCP, as another program connects:
/// let kubeconfig = server.kubeconfig().expect("it listens by default");
/// let client = RestClient::from_config(&Config::from_kubeconfig(kubeconfig.as_bytes())?)?;
/// assert_eq!(Api::<Namespace>::cluster(&client).get("default").await?.metadata.name, "default");
///
/// server.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// # Stopping
///
/// Dropping the server stops it at once: open requests are aborted, watches end, and new requests fail.
/// [`shutdown`](Self::shutdown) also waits until every connection is closed. The tasks of the server run on the
/// runtime that started it.
///
/// # Security
///
/// - By default every client may do everything; see [`ServerOptions::access`]. The server logs a warning if it then
///   listens on another address than loopback.
/// - It refuses TCP requests that a web page could have sent; see [`ServerOptions::accept_hosts`] and
///   [`ServerOptions::accept_origins`]. A body without `Content-Type` is read as JSON, as in the real server, but
///   not from a browser.
/// - It closes TCP connections on which a client does nothing.
/// - Exec, attach, port-forward and logs of a pod are forwarded to the kubelet of its node, if the node's status
///   has one. It only dials addresses of registered nodes, pods, services and webhooks; see
///   [`ServerOptions::dial_loopback`].
///
/// # Protocols
///
/// HTTP/1.1 and HTTP/2. Without TLS, clients must use HTTP/2 with prior knowledge.
///
/// # Next
///
/// - [`ServerOptions`]: the address, TLS, access and limits.
/// - [`apply_path`](Self::apply_path): install the manifests of a cluster, such as custom resource definitions.
/// - [`controls`](Self::controls): inject faults and advance the clock.
/// - [`rest_client_as`](Self::rest_client_as): act as a user with fewer rights.
/// - [`install_webhooks`](Self::install_webhooks): call the webhooks of a test.
#[derive(Debug)]
#[must_use = "dropping the server stops it; call `shutdown` to wait until it has stopped"]
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

/// The buffer of an in-memory connection, per direction. When it is full, the writer waits.
const DUPLEX_BUFFER: usize = 64 * 1024;

impl Server {
    /// Starts a server with default options on the current runtime. It is ready when this returns.
    ///
    /// Fails if it can't listen, or if the operating system's random number generator fails.
    pub async fn start() -> io::Result<Self> {
        Self::start_with(ServerOptions::default()).await
    }

    /// Starts a server with options. See [`start`](Self::start) and [`ServerOptions`].
    pub async fn start_with(options: ServerOptions) -> io::Result<Self> {
        Self::open(options).await
    }

    /// Boxed, so that this crate compiles the server, and not each crate that starts one.
    fn open(options: ServerOptions) -> BoxFuture<'static, io::Result<Self>> {
        Box::pin(Self::listen(options))
    }

    async fn listen(options: ServerOptions) -> io::Result<Self> {
        let template = options.forks.then(|| options.clone());
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
        let tls = match (options.tls, &options.certificate) {
            (false, _) => None,
            (true, certificate) => {
                Some(Tls::new(authority, certificate.as_ref(), options.client_authorities.as_deref())?)
            }
        };
        let permissions = permission_log(options.record_permissions)?;
        let controls = Arc::new(Controls::with_log(options.request_log));
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
            gate: Gate {
                anonymous: options.anonymous,
                log: permissions.clone(),
                ..Gate::new(options.access, Arc::clone(storage.tokens()))
            },
            authority: Arc::clone(authority),
            relays: Mutex::default(),
            flow: Flow::default(),
            webhooks: Arc::new(Webhooks::new(outbound.clone())),
            outbound,
            forks: template.map(|options| -> Box<dyn Forks> {
                Box::new(ForkServers::new(&options, storage.downgrade()))
            }),
        });
        let admin = access::new_token()?;
        api.gate.tokens.add(admin.expose().to_owned(), administrator());
        let web_pages = WebPages { hosts: options.accept_hosts, origins: options.accept_origins };
        let connections =
            Connections::new(Arc::clone(&api), options.goaway_chance, web_pages, options.max_connections);
        let connections = Arc::new(connections);
        let accepting =
            listener.map(|listener| tokio::spawn(Arc::clone(&connections).accept(listener, tls.clone())));
        storage.controllers().publish(storage.registry(), address);
        storage.run();
        Ok(Self {
            address,
            tls,
            accepting,
            connections,
            controls: TestControls::new(
                Arc::clone(&api.registry),
                Arc::clone(&api.controllers),
                controls,
                permissions,
            ),
            api,
            admin,
            ended: Ended::default(),
            storage,
        })
    }

    /// The address on which it listens; `None` without a listener.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// The URL; `None` without a listener.
    pub fn url(&self) -> Option<String> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        self.address.map(|address| format!("{scheme}://{address}"))
    }

    /// The certificate of the authority that signed the server's certificate, in PEM; `None` without TLS.
    pub fn authority(&self) -> Option<&str> {
        self.tls.as_ref().map(|tls| &*tls.authority)
    }

    /// The private key of the authority, in PEM; `None` without TLS. Use it to create certificates that
    /// [`issue_certificate`](Self::issue_certificate) can't, such as expired ones. The issuer is the subject of
    /// [`authority`](Self::authority).
    pub fn authority_key(&self) -> Option<String> {
        self.tls.as_ref().and_then(|_| self.api.authority.key().ok())
    }

    /// Registers a bearer token for a user. Servers that share the storage accept it too.
    ///
    /// ```
    /// use client_rs_apiserver::{Access, Server, ServerOptions, User};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// let server = Server::start_with(ServerOptions::default().with_access(Access::Authenticated)).await?;
    /// server.add_token("s3cret", User::new("jane", ["developers"]));
    /// assert!(server.remove_token("s3cret"));
    /// assert!(!server.remove_token("s3cret"));
    /// # server.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_token(&self, token: impl Into<String>, user: User) {
        self.api.gate.tokens.add(token.into(), user);
    }

    /// Revokes a bearer token: from now on it is unknown. Returns false if it was not registered.
    pub fn remove_token(&self, token: &str) -> bool {
        self.api.gate.tokens.remove(token)
    }

    /// Issues a client certificate for a user. Returns the certificate and its key, both in PEM. The user name is
    /// the common name, the groups are the organizations. Fails on a server without TLS.
    pub fn issue_certificate(&self, user: &User) -> io::Result<(String, String)> {
        match &self.tls {
            Some(_) => self.api.authority.issue(user),
            None => Err(io::Error::new(io::ErrorKind::Unsupported, "certificates need ServerOptions::tls")),
        }
    }

    /// The bearer token of an administrator. Each server has its own, which becomes invalid when the server stops.
    pub fn admin_token(&self) -> &str {
        self.admin.expose()
    }

    /// A kubeconfig in YAML with one context and the token of an administrator; `None` without a listener.
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

    /// As [`kubeconfig`](Self::kubeconfig), with a client certificate of the administrator in addition to the
    /// token, for clients that can't send a token. Fails on a server without TLS.
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

    /// A client in this process, as an administrator. Requests are function calls, without a connection, so it
    /// works with a paused clock. It does not limit its request rate. After the server stops, requests fail.
    pub fn rest_client(&self) -> Result<RestClient, Error> {
        self.rest_client_as(administrator())
    }

    /// As [`rest_client`](Self::rest_client), as another user. The user is authenticated; roles decide about its
    /// rights if [`ServerOptions::access`] is [`Access::Rbac`].
    pub fn rest_client_as(&self, user: User) -> Result<RestClient, Error> {
        client::rest_client(&self.api, &self.ended, user, RestClientOptions::default())
    }

    /// Opens an in-memory connection, for an HTTP client of your own. It works with a paused clock. If the server
    /// has stopped, the connection is closed.
    pub fn connect(&self) -> DuplexStream {
        let (ours, theirs) = duplex(DUPLEX_BUFFER);
        self.connections.open_in_memory(theirs);
        ours
    }

    /// The test controls: faults, the clock, and the log of requests.
    pub fn controls(&self) -> TestControls {
        self.controls.clone()
    }

    /// Stops the server and waits until every connection is closed. Dropping the future also stops it.
    pub async fn shutdown(mut self) {
        let (connections, controllers) = (self.stop(), self.storage.stop_if_last());
        let forks = self.api.forks.as_ref().map(|forks| forks.end_all());
        if let Some(forks) = forks {
            forks.await;
        }
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

    /// The storage, for other servers with the same objects.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Stops the server. Dropping the returned set closes its connections.
    fn stop(&self) -> Option<JoinSet<()>> {
        self.ended.store(true, Ordering::Relaxed);
        // Watches of clients in this process have no connection that would end them.
        self.controls.drop_watches();
        if let Some(accepting) = &self.accepting {
            accepting.abort();
        }
        self.api.relays.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
        // The storage may outlive the server, and with it the tokens.
        self.api.gate.tokens.remove(self.admin.expose());
        self.connections.end()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.api.forks.as_ref().map(|forks| forks.end_all()));
        drop(self.stop());
    }
}

/// The log of permissions, if the options or the environment want one.
fn permission_log(wanted: bool) -> io::Result<Option<Arc<PermissionLog>>> {
    let folder = std::env::var_os(access::RECORD_PERMISSIONS).filter(|folder| !folder.is_empty());
    let log = match folder {
        Some(folder) => Some(PermissionLog::in_folder(folder.as_ref())?),
        None => wanted.then(PermissionLog::default),
    };
    Ok(log.map(Arc::new))
}

/// The user that may do everything.
fn administrator() -> User {
    User::new("admin", ["system:masters"])
}
