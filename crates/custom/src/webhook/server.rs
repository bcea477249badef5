//! [`WebhookServer`] and its options.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use client_rs_transport::serving::{
    ClientAuthority, ServingCertificate, ServingCertificateError, keep_current, server_config,
};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::{AbortHandle, JoinSet};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::webhook::connection::{Activity, Connections};
use crate::webhook::hook::{Hook, MAX_BODY};

client_rs_machinery::options! {
    /// The options of a [`WebhookServer`]: address, certificates, limits.
    ///
    /// The limits protect the program from clients that are slow, numerous or hostile. The defaults suit API servers.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct WebhookOptions {
        /// The address. Default: port 9443 of every address, as in controller-runtime.
        pub listen: SocketAddr => with_listen,
        /// The certificate and its intermediates, in PEM. Default: `tls.crt` in `/tmp/k8s-webhook-server/serving-certs`.
        pub certificate: PathBuf => with_certificate,
        /// Its private key, in PEM. Default: `tls.key` in the same folder.
        pub key: PathBuf => with_key,
        /// The certificate authorities of clients, in PEM. A client without a certificate of one of them is refused in the
        /// handshake. API servers send one if their admission configuration has a kubeconfig for it. Default: none, so every
        /// client that reaches the port can send reviews.
        pub client_ca: Option<PathBuf> => with_client_ca,
        /// The allowed common names of client certificates, with `client_ca`. Default: empty, so any name is allowed.
        pub client_names: Vec<String> => with_client_names,
        /// How often the certificate files are checked for changes. Default: 10 seconds.
        pub reload: Duration => with_reload,
        /// The maximum number of connections. One more closes the connection that has had no review to answer for the longest
        /// time; a review counts when all of it has arrived. While every connection has a review to answer, the new one waits.
        /// Default: 128. API servers open a few each.
        pub max_connections: usize => with_max_connections,
        /// The maximum number of concurrent requests of a connection. Default: 32.
        pub max_streams: u32 => with_max_streams,
        /// The maximum size of a review in bytes; larger ones get a 413. Default: 16 MiB. An object has 3 MiB at most and an
        /// admission review two of them, but a conversion review has all objects of a list.
        pub max_body: usize => with_max_body,
        /// The maximum size of all reviews in progress, in bytes. Further reviews wait for `body_timeout`, and then get a 503.
        /// Decoded objects are not counted. Less than `max_body` counts as `max_body`. Default: 32 MiB.
        pub memory: usize => with_memory,
        /// The timeout from the connection to the end of the head of its first request, handshake included. Default: 10
        /// seconds.
        pub begin_timeout: Duration => with_begin_timeout,
        /// The timeout of the body of a request. Default: 10 seconds.
        pub body_timeout: Duration => with_body_timeout,
        /// The timeout of a handler. Then the client gets a 504, and the handler's future is dropped. Default: 30 seconds, the
        /// longest that an API server waits.
        pub answer_timeout: Duration => with_answer_timeout,
        /// How long a connection is kept without a request in progress. Default: 90 seconds.
        pub idle_timeout: Duration => with_idle_timeout,
        /// The interval of HTTP/2 pings; a client has 10 seconds to answer one. Default: 30 seconds.
        pub keep_alive: Duration => with_keep_alive,
        /// How long a stop waits for reviews in progress. Default: 10 seconds.
        pub stop_timeout: Duration => with_stop_timeout,
    }
}

impl Default for WebhookOptions {
    fn default() -> Self {
        Self {
            listen: ([0, 0, 0, 0], 9443).into(),
            certificate: "/tmp/k8s-webhook-server/serving-certs/tls.crt".into(),
            key: "/tmp/k8s-webhook-server/serving-certs/tls.key".into(),
            client_ca: None,
            client_names: Vec::new(),
            reload: Duration::from_secs(10),
            max_connections: 128,
            max_streams: 32,
            max_body: MAX_BODY,
            memory: 32 << 20,
            begin_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(90),
            keep_alive: Duration::from_secs(30),
            stop_timeout: Duration::from_secs(10),
        }
    }
}

impl WebhookOptions {
    /// The defaults, with the certificate `tls.crt` and the key `tls.key` in this folder: the layout of a mounted `Secret`.
    ///
    /// ```
    /// use client_rs_custom::webhook::WebhookOptions;
    ///
    /// let options = WebhookOptions::in_folder("/certs");
    /// assert!(options.certificate.ends_with("certs/tls.crt"));
    /// assert_eq!(options.listen.port(), 9443);
    /// ```
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { certificate: folder.join("tls.crt"), key: folder.join("tls.key"), ..Self::default() }
    }
}

/// The reason why webhooks are not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The certificate can't be used.
    #[error(transparent)]
    Certificate(#[from] ServingCertificateError),
    /// The server can't listen at the address: another process has the port, or this process may not use it.
    #[error(
        "can't listen at {address} for webhooks: {error}; choose another address (WebhookOptions::listen)"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        error: std::io::Error,
    },
    /// Two hooks have the same path.
    #[error("two hooks are at the path {path:?}")]
    DuplicateRoute {
        /// The path.
        path: String,
    },
}

/// A server of webhooks over TLS, HTTP/1.1 and HTTP/2. It listens after [`bind`](Self::bind), and serves during
/// [`run`](Self::run).
///
/// A path without a hook gets a 404. The certificate files are read again when they change, and new connections use the new
/// certificate. If the files are not usable, the old certificate stays in use, with a warning.
///
/// Under a controller manager run it as a runnable: every replica serves webhooks, not only the leader.
///
/// ```
/// use client_rs_custom::machinery::Unstructured;
/// use client_rs_custom::webhook::{Admitted, CancellationToken, Hook, Review, WebhookOptions, WebhookServer};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
/// # std::fs::write(folder.path().join("tls.crt"), certificate.cert.pem())?;
/// # std::fs::write(folder.path().join("tls.key"), certificate.signing_key.serialize_pem())?;
/// # let folder = folder.path();
/// let options = WebhookOptions::in_folder(folder).with_listen(([127, 0, 0, 1], 0));
/// let hook = Hook::admission(|_: Review<Unstructured>| async { Ok(Admitted::unchanged()) });
/// let server = WebhookServer::bind(options).await?.route("/validate", hook);
/// assert_ne!(server.address().port(), 0); // The system has chosen a free port.
/// let stop = CancellationToken::new();
/// # stop.cancel();
/// server.run(stop).await?; // Until the token is cancelled.
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is served until `run`"]
pub struct WebhookServer {
    listener: TcpListener,
    address: SocketAddr,
    certificate: Arc<ServingCertificate>,
    clients: Option<Arc<ClientAuthority>>,
    options: WebhookOptions,
    hooks: BTreeMap<String, Hook>,
    /// A path that has two hooks.
    duplicate: Option<String>,
}

impl WebhookServer {
    /// Reads the certificates and listens. Clients can connect from now on, and wait until [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// [`ServeError`] if the certificate is not usable or the address is taken.
    pub async fn bind(options: WebhookOptions) -> Result<Self, ServeError> {
        let certificate = Arc::new(ServingCertificate::read(&options.certificate, &options.key)?);
        let clients = match &options.client_ca {
            Some(file) => Some(Arc::new(ClientAuthority::read(file, options.client_names.clone())?)),
            None => None,
        };
        let failed = |error| ServeError::Listen { address: options.listen, error };
        let listener = TcpListener::bind(options.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, certificate, clients, options, hooks: BTreeMap::new(), duplicate: None })
    }

    /// The address where it listens, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds a hook at a path, such as `/validate`. A second hook at the same path is an error when the server
    /// [runs](Self::run).
    pub fn route(mut self, path: impl Into<String>, hook: Hook) -> Self {
        let path = path.into();
        if self.hooks.insert(path.clone(), hook).is_some() {
            self.duplicate = Some(path);
        }
        self
    }

    /// Serves until the token is cancelled. Then it finishes the reviews in progress, for
    /// [`stop_timeout`](WebhookOptions::stop_timeout) at most.
    ///
    /// # Errors
    ///
    /// [`ServeError::DuplicateRoute`], or an unusable certificate. Errors of connections are logged at debug level.
    pub async fn run(self, stop: CancellationToken) -> Result<(), ServeError> {
        if let Some(path) = self.duplicate {
            return Err(ServeError::DuplicateRoute { path });
        }
        let config = server_config(&self.certificate, self.clients.as_ref(), &[b"h2", b"http/1.1"])?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let most = self.options.max_connections.max(1);
        let patience = self.options.stop_timeout;
        let reloading = keep_current(self.certificate, self.clients, self.options.reload);
        tokio::pin!(reloading);
        let served = Arc::new(Connections::new(self.hooks, self.options));
        let mut connections = JoinSet::new();
        // New connections replace those on which no review is being answered.
        let mut open: Vec<(AbortHandle, Activity)> = Vec::new();
        let released = Arc::new(Notify::new());
        loop {
            open.retain(|(connection, _)| !connection.is_finished());
            let room = connections.len() < most || expendable(&open).is_some();
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = self.listener.accept(), if room => match accepted {
                    Ok((stream, _)) => {
                        if connections.len() >= most {
                            // Reviews may have arrived in the meantime.
                            let Some(oldest) = expendable(&open) else { continue };
                            open.swap_remove(oldest).0.abort();
                        }
                        let activity = Activity::new(Arc::clone(&released));
                        let connection =
                            Arc::clone(&served).serve(stream, acceptor.clone(), activity.clone(), stop.clone());
                        open.push((connections.spawn(connection), activity));
                    }
                    // Most likely out of file descriptors, which is temporary.
                    Err(error) => {
                        tracing::warn!(%error, "can't accept a connection");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                () = &mut reloading => {}
                () = released.notified(), if !room => {}
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
            }
        }
        let rest = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(patience, rest).await.is_err() {
            tracing::warn!(after = ?patience, "dropping reviews in progress");
        }
        Ok(())
    }
}

/// The connection to close for another one.
fn expendable(open: &[(AbortHandle, Activity)]) -> Option<usize> {
    let times = open.iter().enumerate().filter_map(|(at, (_, activity))| Some((activity.expendable()?, at)));
    times.min().map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use client_rs_transport::tls::{Trust, client_config};
    use rustls::pki_types::{CertificateDer, ServerName};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;
    use crate::webhook::{Admitted, Review};

    /// Writes a new certificate, and returns it.
    fn write(folder: &Path) -> CertificateDer<'static> {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(folder.join("tls.crt"), made.cert.pem()).unwrap();
        std::fs::write(folder.join("tls.key"), made.signing_key.serialize_pem()).unwrap();
        made.cert.der().clone()
    }

    /// Connects over TLS, with this certificate trusted.
    async fn connect(
        address: SocketAddr,
        trusted: CertificateDer<'static>,
    ) -> std::io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
        let config = client_config(&Trust::Only([trusted].into()), None, &[]).unwrap();
        let stream = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").unwrap();
        tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, stream).await
    }

    /// Sends a request over TLS, with this certificate trusted. Returns the first line of the response.
    async fn ask(
        address: SocketAddr,
        trusted: CertificateDer<'static>,
        path: &str,
    ) -> std::io::Result<String> {
        let mut stream = connect(address, trusted).await?;
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        Ok(String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned())
    }

    #[tokio::test]
    async fn hooks_are_served_over_tls_and_certificates_are_reloaded() {
        let folder = tempfile::tempdir().unwrap();
        let first = write(folder.path());
        let options = WebhookOptions {
            listen: ([127, 0, 0, 1], 0).into(),
            certificate: folder.path().join("tls.crt"),
            key: folder.path().join("tls.key"),
            reload: Duration::from_millis(10),
            ..WebhookOptions::default()
        };
        let hook = Hook::admission(|_: Review<client_rs_machinery::Unstructured>| async {
            Ok(Admitted::unchanged())
        });
        let server = WebhookServer::bind(options).await.unwrap().route("/hook", hook);
        let (address, stop) = (server.address(), CancellationToken::new());
        let running = tokio::spawn(server.run(stop.clone()));
        assert_eq!(ask(address, first.clone(), "/hook").await.unwrap(), "HTTP/1.1 400 Bad Request");
        assert_eq!(ask(address, first.clone(), "/other").await.unwrap(), "HTTP/1.1 404 Not Found");
        // A malformed certificate changes nothing.
        std::fs::write(folder.path().join("tls.crt"), "rubbish").unwrap();
        assert!(ask(address, first.clone(), "/hook").await.is_ok());
        let second = write(folder.path());
        // Until the server has noticed the new files.
        while ask(address, second.clone(), "/hook").await.is_err() {
            tokio::task::yield_now().await;
        }
        assert!(ask(address, first, "/hook").await.is_err());
        stop.cancel();
        running.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn connections_without_a_review_in_progress_do_not_block_others() {
        let folder = tempfile::tempdir().unwrap();
        let trusted = write(folder.path());
        let options = WebhookOptions {
            listen: ([127, 0, 0, 1], 0).into(),
            certificate: folder.path().join("tls.crt"),
            key: folder.path().join("tls.key"),
            max_connections: 4,
            ..WebhookOptions::default()
        };
        let hook = Hook::admission(|_: Review<client_rs_machinery::Unstructured>| async {
            Ok(Admitted::unchanged())
        });
        let server = WebhookServer::bind(options).await.unwrap().route("/hook", hook);
        let (address, stop) = (server.address(), CancellationToken::new());
        let running = tokio::spawn(server.run(stop.clone()));
        let mut silent = Vec::new();
        for _ in 0..20 {
            silent.push(TcpStream::connect(address).await.unwrap());
        }
        assert_eq!(ask(address, trusted.clone(), "/other").await.unwrap(), "HTTP/1.1 404 Not Found");
        drop(silent);
        // The body of a review that does not arrive, and a connection that is kept after its response.
        for (length, body) in [(1_000_000, "{"), (2, "{}")] {
            let mut open = Vec::new();
            for _ in 0..8 {
                let mut stream = connect(address, trusted.clone()).await.unwrap();
                let request = format!(
                    "POST /hook HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n{body}"
                );
                stream.write_all(request.as_bytes()).await.unwrap();
                if length == 2 {
                    assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
                }
                open.push(stream);
            }
            assert_eq!(ask(address, trusted.clone(), "/hook").await.unwrap(), "HTTP/1.1 400 Bad Request");
        }
        stop.cancel();
        running.await.unwrap().unwrap();
    }
}
