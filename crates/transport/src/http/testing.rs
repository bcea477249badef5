//! Servers in memory for the tests of this module.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::transport::host_port;
use super::{Dial, Stream};
use crate::tls::Trust;

/// Passes the far end of each new stream to a server.
pub(super) struct Memory {
    serve: Box<dyn Fn(DuplexStream) + Send + Sync>,
    dialed: AtomicUsize,
    pub(super) places: Mutex<Vec<String>>,
}

impl Memory {
    pub(super) fn new(serve: impl Fn(DuplexStream) + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { serve: Box::new(serve), dialed: AtomicUsize::new(0), places: Mutex::default() })
    }

    pub(super) fn dialed(&self) -> usize {
        self.dialed.load(Ordering::SeqCst)
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory")
    }
}

impl Dial for Memory {
    fn dial<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Stream>> + Send + 'a>> {
        self.dialed.fetch_add(1, Ordering::SeqCst);
        self.places.lock().unwrap().push(host_port(host, port));
        let (near, far) = duplex(64 * 1024);
        (self.serve)(far);
        Box::pin(std::future::ready(Ok(Box::new(near) as Stream)))
    }
}

pub(super) struct Tls {
    server: Arc<rustls::ServerConfig>,
    issuer: rcgen::Issuer<'static, rcgen::KeyPair>,
    pub(super) authority_pem: String,
    pub(super) authority: rustls::pki_types::CertificateDer<'static>,
    pub(super) client:
        (rustls::pki_types::CertificateDer<'static>, rustls::pki_types::PrivateKeyDer<'static>),
}

/// A server that requests a client certificate of its own authority, and also accepts clients without one.
pub(super) fn tls_server(names: &[&str]) -> Tls {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&key).unwrap();
    let issuer = Issuer::new(params, key);
    let issue = |names: &[&str]| {
        let key = KeyPair::generate().unwrap();
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
        (certificate.der().clone(), rustls::pki_types::PrivateKeyDer::Pkcs8(key.serialize_der().into()))
    };
    let ((chain, key), client) = (issue(names), issue(&["client"]));
    let provider = Arc::new(crypto());
    let mut roots = rustls::RootCertStore::empty();
    roots.add(authority.der().clone()).unwrap();
    let verifier =
        rustls::server::WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .allow_unauthenticated()
            .build()
            .unwrap();
    let mut server = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![chain], key)
        .unwrap();
    server.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let (authority_pem, authority) = (authority.pem(), authority.der().clone());
    Tls { server: Arc::new(server), issuer, authority_pem, authority, client }
}

#[cfg(feature = "aws-lc-rs")]
fn crypto() -> rustls::crypto::CryptoProvider {
    rustls::crypto::aws_lc_rs::default_provider()
}

#[cfg(not(feature = "aws-lc-rs"))]
fn crypto() -> rustls::crypto::CryptoProvider {
    rustls::crypto::ring::default_provider()
}

impl Tls {
    /// A certificate of the same authority, and its key, as PEM.
    pub(super) fn issue_pem(&self) -> (String, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = rcgen::CertificateParams::new(vec!["client".to_owned()]).unwrap();
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    /// Responds to each request with `answer`, whose argument shows whether the client has shown a certificate.
    pub(super) fn serve(
        &self,
        answer: impl Fn(Request<Incoming>, bool) -> Response<Full<Bytes>> + Clone + Send + Sync + 'static,
    ) -> Arc<Memory> {
        let config = Arc::clone(&self.server);
        Memory::new(move |stream| {
            let (acceptor, answer) = (tokio_rustls::TlsAcceptor::from(Arc::clone(&config)), answer.clone());
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let shown = stream.get_ref().1.peer_certificates().is_some();
                let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let service = service_fn(move |request: Request<Incoming>| {
                    std::future::ready(Ok::<_, Infallible>(answer(request, shown)))
                });
                let stream = TokioIo::new(stream);
                // The client sees how it ends.
                let _ = if http2 {
                    let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                    builder.serve_connection(stream, service).await
                } else {
                    hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await
                };
            });
        })
    }

    /// A proxy with an https URL in front of a server. It records whether each client has shown it a certificate.
    pub(super) fn proxy(&self, server: &Arc<Memory>, shown: &Arc<Mutex<Vec<bool>>>) -> Arc<Memory> {
        let (config, server, shown) = (Arc::clone(&self.server), Arc::clone(server), Arc::clone(shown));
        Memory::new(move |stream| {
            let acceptor = tokio_rustls::TlsAcceptor::from(Arc::clone(&config));
            let (server, shown) = (Arc::clone(&server), Arc::clone(&shown));
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                shown.lock().unwrap().push(stream.get_ref().1.peer_certificates().is_some());
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    let Ok(byte) = stream.read_u8().await else { return };
                    head.push(byte);
                }
                assert!(head.starts_with(b"CONNECT "), "{}", String::from_utf8_lossy(&head));
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
                let (mut near, far) = duplex(64 * 1024);
                (server.serve)(far);
                // Both sides see how it ends.
                let _ = tokio::io::copy_bidirectional(&mut stream, &mut near).await;
            });
        })
    }

    pub(super) fn trust(&self) -> Trust {
        Trust::Only(Arc::new([self.authority.clone()]))
    }
}
