//! The server of webhooks.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use client_rs_transport::serving::{
    ClientAuthority, ServingCertificate, ServingCertificateError, keep_current, server_config,
};
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::webhook::connection::{Activity, Connections};
use crate::webhook::hook::{Hook, MAX_BODY};

client_rs_machinery::options! {
    /// How webhooks are served.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct WebhookOptions {
        /// Where. Default: port 9443 of every address, as controller-runtime has it.
        pub listen: SocketAddr => with_listen,
        /// The certificate and those that signed it, in PEM. Default: `tls.crt` in `/tmp/k8s-webhook-server/serving-certs`.
        pub certificate: PathBuf => with_certificate,
        /// Its private key, in PEM. Default: `tls.key` in the same folder.
        pub key: PathBuf => with_key,
        /// The authorities that sign certificates of clients, in PEM: a client that shows none of theirs is refused in the
        /// handshake. API servers show one if their admission configuration has a kubeconfig for it. Default: none, and
        /// everybody who reaches the port can ask.
        pub client_ca: Option<PathBuf> => with_client_ca,
        /// The common names that a client's certificate may have; with `client_ca` only. Default: none, and any name will do.
        pub client_names: Vec<String> => with_client_names,
        /// How often the certificate files are looked at. Default: 10 seconds.
        pub reload: Duration => with_reload,
        /// How many connections there are at once. For one more, the oldest is closed that has not asked for anything yet; if
        /// all have, it waits. Default: 128. API servers open a few each.
        pub max_connections: usize => with_max_connections,
        /// How many requests a connection may have in progress. Default: 32.
        pub max_streams: u32 => with_max_streams,
        /// How many bytes a review may have; more is a 413. Default: 16 MiB. An object has 3 MiB at most, and an admission
        /// review two of them; but a conversion review has all objects of a list.
        pub max_body: usize => with_max_body,
        /// How many bytes all reviews may have that are being read or answered. Reviews beyond it wait for as long as
        /// `body_timeout`, and then are a 503. Objects that are made of them are not counted. Less than `max_body` counts as
        /// `max_body`. Default: 32 MiB.
        pub memory: usize => with_memory,
        /// How long a client may take from connecting to the end of its first request's head, handshake included. Default: 10
        /// seconds.
        pub begin_timeout: Duration => with_begin_timeout,
        /// How long a client may take for the body of a request. Default: 10 seconds.
        pub body_timeout: Duration => with_body_timeout,
        /// How long the answer to a review may take once it was read; later is a 504, and the handler's future is dropped.
        /// Default: 30 seconds, the longest that an API server waits.
        pub answer_timeout: Duration => with_answer_timeout,
        /// How long a connection is kept without a request in progress. Default: 90 seconds.
        pub idle_timeout: Duration => with_idle_timeout,
        /// How often an HTTP/2 client is asked whether it is there; it has 10 seconds to say so. Default: 30 seconds.
        pub keep_alive: Duration => with_keep_alive,
        /// How long a stop waits for reviews that are being answered. Default: 10 seconds.
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
    /// The defaults, with the certificate `tls.crt` and the key `tls.key` of this folder: as a mounted `Secret` has them.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { certificate: folder.join("tls.crt"), key: folder.join("tls.key"), ..Self::default() }
    }
}

/// Why webhooks are not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The certificate can't be used.
    #[error(transparent)]
    Certificate(#[from] ServingCertificateError),
    /// The address can't be listened at: another process has the port, or this one may not use it.
    #[error(
        "can't listen at {address} for webhooks: {error}; choose another address (WebhookOptions::listen)"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// Two hooks have the same path.
    #[error("two hooks are at the path {path:?}")]
    DuplicateRoute {
        /// The path.
        path: String,
    },
}

/// A server of webhooks, which listens and does not answer yet: see [`run`](Self::run).
///
/// A path that no hook has is a 404. The certificate's files are read again while it runs: new connections get the new one;
/// files that can't be used leave the old one in use, with a warning.
#[derive(Debug)]
#[must_use = "nothing is served until `run`"]
pub struct WebhookServer {
    listener: TcpListener,
    address: SocketAddr,
    certificate: Arc<ServingCertificate>,
    clients: Option<Arc<ClientAuthority>>,
    options: WebhookOptions,
    hooks: BTreeMap<String, Hook>,
    /// A path that was given to a second hook.
    duplicate: Option<String>,
}

impl WebhookServer {
    /// Reads the certificates and listens.
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// With a hook at a path, such as `/validate`. A second hook at the same path is an error when the server
    /// [runs](Self::run).
    pub fn route(mut self, path: impl Into<String>, hook: Hook) -> Self {
        let path = path.into();
        if self.hooks.insert(path.clone(), hook).is_some() {
            self.duplicate = Some(path);
        }
        self
    }

    /// Answers until the token is cancelled, and then what has begun.
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
        // Those that have not asked for anything yet, the oldest first: they make room for new ones.
        let mut silent: VecDeque<(AbortHandle, Activity)> = VecDeque::new();
        loop {
            silent.retain(is_silent);
            let room = connections.len() < most || !silent.is_empty();
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = self.listener.accept(), if room => match accepted {
                    Ok((stream, _)) => {
                        // Some may have begun while we waited.
                        silent.retain(is_silent);
                        if connections.len() >= most {
                            let Some((oldest, _)) = silent.pop_front() else { continue };
                            oldest.abort();
                        }
                        let activity = Activity::new();
                        let connection =
                            Arc::clone(&served).serve(stream, acceptor.clone(), activity.clone(), stop.clone());
                        silent.push_back((connections.spawn(connection), activity));
                    }
                    // Out of descriptors, most likely: not for ever.
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                () = &mut reloading => {}
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
            }
        }
        let rest = async { while connections.join_next().await.is_some() {} };
        if tokio::time::timeout(patience, rest).await.is_err() {
            tracing::warn!(after = ?patience, "reviews that were being answered are dropped");
        }
        Ok(())
    }
}

fn is_silent((connection, activity): &(AbortHandle, Activity)) -> bool {
    !connection.is_finished() && !activity.has_begun()
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

    /// Writes a new certificate, and gives it.
    fn write(folder: &Path) -> CertificateDer<'static> {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(folder.join("tls.crt"), made.cert.pem()).unwrap();
        std::fs::write(folder.join("tls.key"), made.signing_key.serialize_pem()).unwrap();
        made.cert.der().clone()
    }

    /// Asks over TLS, with this certificate trusted; the first line of the answer.
    async fn ask(
        address: SocketAddr,
        trusted: CertificateDer<'static>,
        path: &str,
    ) -> std::io::Result<String> {
        let config = client_config(&Trust::Only([trusted].into()), None, &[]).unwrap();
        let stream = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        Ok(String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned())
    }

    #[tokio::test]
    async fn hooks_are_served_over_tls_and_certificates_read_again() {
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
        // A bad one changes nothing.
        std::fs::write(folder.path().join("tls.crt"), "rubbish").unwrap();
        assert!(ask(address, first.clone(), "/hook").await.is_ok());
        let second = write(folder.path());
        // However long the files take to be seen.
        while ask(address, second.clone(), "/hook").await.is_err() {
            tokio::task::yield_now().await;
        }
        assert!(ask(address, first, "/hook").await.is_err());
        stop.cancel();
        running.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn connections_that_say_nothing_do_not_keep_others_out() {
        let folder = tempfile::tempdir().unwrap();
        let trusted = write(folder.path());
        let options = WebhookOptions {
            listen: ([127, 0, 0, 1], 0).into(),
            certificate: folder.path().join("tls.crt"),
            key: folder.path().join("tls.key"),
            max_connections: 4,
            ..WebhookOptions::default()
        };
        let server = WebhookServer::bind(options).await.unwrap();
        let (address, stop) = (server.address(), CancellationToken::new());
        let running = tokio::spawn(server.run(stop.clone()));
        let mut silent = Vec::new();
        for _ in 0..20 {
            silent.push(TcpStream::connect(address).await.unwrap());
        }
        assert_eq!(ask(address, trusted, "/other").await.unwrap(), "HTTP/1.1 404 Not Found");
        drop(silent);
        stop.cancel();
        running.await.unwrap().unwrap();
    }
}
