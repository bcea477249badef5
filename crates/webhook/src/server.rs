//! The server of webhooks.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::certificate::{Certificate, CertificateError};
use crate::hook::{Hook, plain};

/// How webhooks are served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookOptions {
    /// Where. Default: port 9443 of every address, as controller-runtime has it.
    pub listen: SocketAddr,
    /// The certificate and those that signed it, in PEM. Default: `tls.crt` in `/tmp/k8s-webhook-server/serving-certs`.
    pub certificate: PathBuf,
    /// Its private key, in PEM. Default: `tls.key` beside it.
    pub key: PathBuf,
    /// How often the two files are looked at. Default: ten seconds.
    pub reload: Duration,
    /// How long a client may take to begin, and a stop waits for reviews that are being answered. Default: ten seconds, as
    /// long as a server waits for a webhook unless told otherwise.
    pub patience: Duration,
}

impl Default for WebhookOptions {
    fn default() -> Self {
        Self {
            listen: ([0, 0, 0, 0], 9443).into(),
            certificate: "/tmp/k8s-webhook-server/serving-certs/tls.crt".into(),
            key: "/tmp/k8s-webhook-server/serving-certs/tls.key".into(),
            reload: Duration::from_secs(10),
            patience: Duration::from_secs(10),
        }
    }
}

/// Why webhooks are not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The certificate can't be used.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The address can't be listened at.
    #[error("can't listen at {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
}

/// A server of webhooks, which listens and does not answer yet: see [`run`](Self::run).
///
/// A path that no hook has is a 404. The certificate's files are read again while it runs: new connections get the new one;
/// files that can't be used leave the old one in use, with a warning.
#[derive(Debug)]
pub struct WebhookServer {
    listener: TcpListener,
    address: SocketAddr,
    certificate: Arc<Certificate>,
    options: WebhookOptions,
    hooks: BTreeMap<String, Hook>,
}

impl WebhookServer {
    /// Reads the certificate and listens.
    pub async fn bind(options: WebhookOptions) -> Result<Self, ServeError> {
        let certificate = Arc::new(Certificate::read(&options.certificate, &options.key)?);
        let failed = |source| ServeError::Listen { address: options.listen, source };
        let listener = TcpListener::bind(options.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address, certificate, options, hooks: BTreeMap::new() })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// With a hook at a path, such as `/validate`.
    #[must_use]
    pub fn route(mut self, path: impl Into<String>, hook: Hook) -> Self {
        self.hooks.insert(path.into(), hook);
        self
    }

    /// Answers until the token is cancelled, and then what has begun.
    pub async fn run(self, stop: CancellationToken) -> Result<(), ServeError> {
        let acceptor = TlsAcceptor::from(Arc::new(self.certificate.config()?));
        let (hooks, patience) = (Arc::new(self.hooks), self.options.patience);
        let mut connections = JoinSet::new();
        let mut reload = tokio::time::interval(self.options.reload.max(Duration::from_millis(10)));
        reload.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let connection = serve(stream, acceptor.clone(), Arc::clone(&hooks), patience, stop.clone());
                        connections.spawn(connection);
                    }
                    // Out of descriptors, most likely: not for ever.
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
                _ = reload.tick() => {
                    let certificate = Arc::clone(&self.certificate);
                    match tokio::task::spawn_blocking(move || certificate.reload()).await {
                        Ok(Ok(true)) => tracing::info!("the webhooks have a new certificate"),
                        Ok(Ok(false)) => {}
                        Ok(Err(error)) => tracing::warn!(%error, "the webhooks keep their certificate: the new one is bad"),
                        Err(error) => tracing::warn!(%error, "the certificate could not be looked at"),
                    }
                }
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

async fn serve(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    hooks: Arc<BTreeMap<String, Hook>>,
    patience: Duration,
    stop: CancellationToken,
) {
    let stream = match tokio::time::timeout(patience, acceptor.accept(stream)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return tracing::debug!(%error, "no TLS"),
        Err(_) => return tracing::debug!("a client that does not begin"),
    };
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let hook = hooks.get(request.uri().path()).cloned();
        async move {
            match hook {
                Some(hook) => hook.oneshot(request).await,
                None => Ok(plain(StatusCode::NOT_FOUND, "there is no such webhook")),
            }
        }
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(patience);
    builder.http2().timer(TokioTimer::new());
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection broke");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rustls::pki_types::ServerName;
    use rustls::{ClientConfig, RootCertStore};
    use rustls_pki_types::CertificateDer;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::{Admitted, Review};

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
        let mut roots = RootCertStore::empty();
        roots.add(trusted).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
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
    async fn what_is_no_certificate_is_told() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        let (certificate, key) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
        for (certificate, key, expected) in [
            (&certificate, &folder.path().join("none"), "can't read"),
            (&key, &key, "holds no certificate in PEM"),
            (&certificate, &certificate, "holds no private key in PEM"),
        ] {
            let error = Certificate::read(certificate, key).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
