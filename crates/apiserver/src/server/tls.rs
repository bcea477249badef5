//! TLS of the listener, with a certificate that is issued at start.

use std::io;
use std::sync::Arc;

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
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

impl Tls {
    /// Creates the configuration with a new certificate of this authority.
    pub(crate) fn new(authority: &Authority) -> io::Result<Self> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::new(NAMES.map(str::to_owned)).map_err(io::Error::other)?;
        params.distinguished_name.remove(DnType::CommonName);
        params.distinguished_name.push(DnType::CommonName, "client-rs-apiserver");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let certificate = authority.sign(&params, &key)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut roots = RootCertStore::empty();
        roots.add(authority.der()?.clone()).map_err(io::Error::other)?;
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        let clients = clients.build().map_err(io::Error::other)?;
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_client_cert_verifier(Arc::new(AnyCertificate(Arc::clone(&clients))))
            .with_single_cert(vec![certificate.der().clone()], key)
            .map_err(io::Error::other)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            authority: authority.pem()?.into(),
            clients,
        })
    }
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
