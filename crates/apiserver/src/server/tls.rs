//! TLS of the listener, with a certificate that is issued at start.

use std::io;
use std::sync::Arc;

use client_rs_transport::Secret;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

use crate::access::{AnyCertificate, Authority};

/// The names and addresses in the certificate.
const NAMES: [&str; 4] = ["localhost", "127.0.0.1", "::1", "kubernetes.default.svc"];

/// The TLS configuration of a server.
#[derive(Clone)]
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    /// The authority that signed the server's certificate, in PEM.
    pub(crate) authority: Arc<str>,
    /// Verifies that the authority signed a client's certificate.
    pub(crate) clients: Arc<dyn ClientCertVerifier>,
}

/// The certificate of a server and its private key, both in PEM: see
/// [`ServerOptions::certificate`](crate::ServerOptions::certificate).
#[derive(Clone, Debug)]
pub struct ServerCertificate {
    certificate: String,
    key: Secret,
}

impl ServerCertificate {
    /// A certificate, followed by its intermediate certificates, and its private key. The server checks them when it
    /// starts.
    pub fn new(certificate: impl Into<String>, key: impl Into<Secret>) -> Self {
        Self { certificate: certificate.into(), key: key.into() }
    }
}

impl Tls {
    /// Creates the configuration with a certificate: the given one, or a new one of this authority. Client
    /// certificates may be of this authority or of `clients`, which is PEM.
    pub(crate) fn new(
        authority: &Authority,
        given: Option<&ServerCertificate>,
        clients: Option<&str>,
    ) -> io::Result<Self> {
        let (chain, key) = match given {
            Some(given) => read(given)?,
            None => issue(authority)?,
        };
        let mut roots = RootCertStore::empty();
        roots.add(authority.der()?.clone()).map_err(io::Error::other)?;
        for certificate in clients.into_iter().flat_map(|pem| CertificateDer::pem_slice_iter(pem.as_bytes()))
        {
            let certificate = certificate.map_err(|error| invalid("client authorities", &error))?;
            roots.add(certificate).map_err(|error| invalid("client authorities", &error))?;
        }
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        let clients = clients.build().map_err(io::Error::other)?;
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_client_cert_verifier(Arc::new(AnyCertificate(Arc::clone(&clients))))
            .with_single_cert(chain, key)
            .map_err(|error| invalid("certificate of the server", &error))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            authority: authority.pem()?.into(),
            clients,
        })
    }
}

type CertifiedKey = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

/// A new certificate of the authority.
fn issue(authority: &Authority) -> io::Result<CertifiedKey> {
    let (certificate, key) = authority.issue_serving("client-rs-apiserver", &NAMES)?;
    Ok((vec![certificate], key.to_der()))
}

fn read(given: &ServerCertificate) -> io::Result<CertifiedKey> {
    let what = "certificate of the server";
    let chain = CertificateDer::pem_slice_iter(given.certificate.as_bytes());
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(|error| invalid(what, &error))?;
    let key = PrivateKeyDer::from_pem_slice(given.key.expose().as_bytes());
    Ok((chain, key.map_err(|error| invalid(what, &error))?))
}

fn invalid(what: &str, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{what}: {error}"))
}

/// The crypto provider that the program has installed, or else ring. aws-lc-rs would gather entropy for about 60 ms
/// before the first handshake of a process, which is more than the rest of the start takes.
fn provider() -> Arc<CryptoProvider> {
    CryptoProvider::get_default()
        .cloned()
        .unwrap_or_else(|| Arc::new(rustls::crypto::ring::default_provider()))
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}
