//! The certificates of a server, seen from outside.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use client_rs_transport::tls::{Trust, client_config};
use http::Uri;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::ResolvesClientCert;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{DigitallySignedStruct, Error, SignatureScheme};
use x509_parser::prelude::{FromDer, X509Name};

use crate::certificate::{CertificateError, CertificateInfo};

/// The time limit of connection and handshake.
const LIMIT: Duration = Duration::from_secs(30);

/// The certificates that a server shows in a TLS handshake: client-go's `GetServingCertificates` and `GetClientCANames`.
///
/// Use it to find out why a client does not trust a server, or why a server does not accept a client. Nothing is verified, not even
/// that the server has the key of its certificate, and no request is sent: the result is no proof of who the server is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServedCertificates {
    /// The chain as the server sends it, its own certificate first. It is never empty.
    pub chain: Vec<CertificateInfo>,
    /// The names of the authorities whose client certificates the server accepts, such as `CN=kubernetes-ca`. `None` if it does not ask for a
    /// client certificate; empty if it asks without naming an authority.
    pub client_authorities: Option<Vec<String>>,
}

impl ServedCertificates {
    /// Connects to a server and reads its certificates. `address` is a host with an optional port, such as `10.0.0.1:6443`, or a URL; the
    /// default port is 443. `name` is the name to ask the server for (SNI); without it, that of the address.
    ///
    /// The connection is direct: no proxy of the environment is used. Connection and handshake may take 30 seconds. Dropping the future
    /// closes the connection. A server that refuses clients without a certificate is no error.
    ///
    /// # Errors
    ///
    /// [`CertificateError::Server`] if the address is malformed, or if the server can't be reached, does not speak TLS or shows a certificate
    /// that can't be read.
    ///
    /// ```no_run
    /// use client_rs_client::certificate::ServedCertificates;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let served = ServedCertificates::read("10.0.0.1:6443", Some("kubernetes.default.svc")).await?;
    /// println!("serves {:?} until {:?}", served.chain[0].subject.dns_names, served.chain[0].not_after);
    /// println!("accepts clients of {:?}", served.client_authorities);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn read(address: &str, name: Option<&str>) -> Result<Self, CertificateError> {
        let failed = |why: String| CertificateError::Server { address: address.to_owned(), why };
        let (host, port) = host_and_port(address).map_err(failed)?;
        let name = ServerName::try_from(name.unwrap_or(&host).to_owned());
        let name = name.map_err(|_| failed("the name is neither a DNS name nor an IP address".to_owned()))?;
        let seen = Arc::new(Seen::default());
        let mut config =
            client_config(&Trust::Anybody, None, &[]).map_err(|error| failed(error.to_string()))?;
        let algorithms = config.crypto_provider().signature_verification_algorithms;
        let recorder = Recorder { seen: Arc::clone(&seen), schemes: algorithms.supported_schemes() };
        config.dangerous().set_certificate_verifier(Arc::new(recorder));
        config.client_auth_cert_resolver = Arc::clone(&seen) as Arc<dyn ResolvesClientCert>;
        let handshake = async {
            let stream = TcpStream::connect((host.as_str(), port)).await?;
            TlsConnector::from(Arc::new(config)).connect(name, stream).await
        };
        let end = match tokio::time::timeout(LIMIT, handshake).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("no handshake within {} seconds", LIMIT.as_secs())),
        };
        let chain = seen.chain.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A server may end the handshake after it has shown its certificates, because the client shows none.
        let Some(chain) = chain else {
            return Err(failed(end.unwrap_or_else(|| "it shows no certificate".to_owned())));
        };
        let chain = chain.into_iter().map(CertificateInfo::from_der).collect::<Result<_, _>>();
        let chain = chain.map_err(|error| failed(error.to_string()))?;
        let client_authorities = seen.authorities.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(Self { chain, client_authorities })
    }
}

/// The host without the brackets of IPv6, and the port.
fn host_and_port(address: &str) -> Result<(String, u16), String> {
    let uri: Uri = address.parse().map_err(|error| format!("not an address: {error}"))?;
    if uri.scheme_str().is_some_and(|scheme| !scheme.eq_ignore_ascii_case("https")) {
        return Err("the URL must begin with https://".to_owned());
    }
    let authority = uri.authority().ok_or("the host is missing")?;
    let host = authority.host();
    let port = match authority.as_str().rsplit('@').next().and_then(|rest| rest.strip_prefix(host)) {
        Some("") | None => 443,
        Some(_) => authority.port_u16().ok_or("the port is not a number up to 65535")?,
    };
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if bare.is_empty() { Err("the host is missing".to_owned()) } else { Ok((bare.to_owned(), port)) }
}

/// The certificates and authorities that a server has shown so far. The client shows no certificate of its own.
#[derive(Debug, Default)]
struct Seen {
    chain: Mutex<Option<Vec<Vec<u8>>>>,
    authorities: Mutex<Option<Vec<String>>>,
}

impl ResolvesClientCert for Seen {
    fn resolve(&self, authorities: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let names = authorities.iter().map(|name| match X509Name::from_der(name) {
            Ok((_, name)) => name.to_string(),
            Err(error) => format!("not a name: {error}"),
        });
        *self.authorities.lock().unwrap_or_else(PoisonError::into_inner) = Some(names.collect());
        None
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// Accepts and keeps every chain.
#[derive(Debug)]
struct Recorder {
    seen: Arc<Seen>,
    schemes: Vec<SignatureScheme>,
}

impl ServerCertVerifier for Recorder {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let chain = std::iter::once(own).chain(others).map(|certificate| certificate.to_vec()).collect();
        *self.seen.chain.lock().unwrap_or_else(PoisonError::into_inner) = Some(chain);
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}

#[cfg(test)]
mod tests {
    use client_rs_transport::serving::{ServingCertificate, server_config};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::server::WebPkiClientVerifier;
    use tokio_rustls::rustls::version::{TLS12, TLS13};
    use tokio_rustls::rustls::{RootCertStore, ServerConfig, SupportedProtocolVersion};

    use super::*;
    use crate::certificate::{CertificateAuthority, CertificateTemplate, IssueOptions};

    /// Serves handshakes with a certificate of an authority, to clients of authorities with these names. Returns the address.
    async fn serve(clients: &[&str], version: &'static SupportedProtocolVersion) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let authority = CertificateAuthority::generate("serving-ca").unwrap();
        let template = CertificateTemplate::default().with_common_name("hook");
        let template = template.with_dns_names(["hook.example"]);
        let issued = authority.issue(&template, &IssueOptions::default()).unwrap();
        // The certificate comes with that of its authority.
        let (certificate, key) = (file("tls.crt", issued.certificate()), file("tls.key", issued.key()));
        let certificate = Arc::new(ServingCertificate::read(&certificate, &key).unwrap());
        let provider = Arc::clone(server_config(&certificate, None, &[]).unwrap().crypto_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
        let builder = builder.with_protocol_versions(&[version]).unwrap();
        let builder = if clients.is_empty() {
            builder.with_no_client_auth()
        } else {
            let mut roots = RootCertStore::empty();
            for name in clients {
                let authority = CertificateAuthority::generate(*name).unwrap();
                let own = CertificateInfo::all_from_pem(authority.certificate()).unwrap();
                roots.add(own[0].der().to_vec().into()).unwrap();
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().unwrap())
        };
        let acceptor = TlsAcceptor::from(Arc::new(builder.with_cert_resolver(certificate)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = acceptor.accept(stream).await;
            }
        });
        address
    }

    #[tokio::test]
    async fn the_certificates_of_a_server_and_the_authorities_of_its_clients_are_read() {
        for version in [&TLS12, &TLS13] {
            let open = serve(&[], version).await;
            let open = ServedCertificates::read(&open, Some("hook.example")).await.unwrap();
            assert_eq!(open.client_authorities, None);
            assert_eq!(open.chain.len(), 2);
            assert_eq!(open.chain[0].subject.common_name, "hook");
            assert_eq!(open.chain[0].subject.dns_names, ["hook.example"]);
            assert_eq!(open.chain[0].issuer, "CN=serving-ca");
            assert!(open.chain[1].is_authority && open.chain[0].is_signed_by(&open.chain[1]));
            // A client without a certificate is refused, which ends the handshake with TLS 1.2.
            let strict = format!("https://{}/validate", serve(&["old-ca", "new-ca"], version).await);
            let strict = ServedCertificates::read(&strict, None).await.unwrap();
            assert_eq!(
                strict.client_authorities,
                Some(vec!["CN=old-ca".to_owned(), "CN=new-ca".to_owned()]),
                "{version:?}"
            );
            assert_eq!(strict.chain[0].subject.common_name, "hook");
        }
    }

    #[tokio::test]
    async fn a_server_without_tls_is_an_error_with_its_address() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { while listener.accept().await.is_ok() {} });
        let error = ServedCertificates::read(&address, None).await.unwrap_err();
        assert!(matches!(error, CertificateError::Server { .. }), "{error}");
        assert!(error.to_string().contains(&address), "{error}");
    }

    #[test]
    fn addresses_are_hosts_with_ports_and_urls() {
        for (address, host, port) in [
            ("10.0.0.1:6443", "10.0.0.1", 6443),
            ("kubernetes.default.svc", "kubernetes.default.svc", 443),
            ("[::1]:8443", "::1", 8443),
            ("https://[::1]/api", "::1", 443),
            ("https://kubernetes.example:6443/version?a=b", "kubernetes.example", 6443),
        ] {
            assert_eq!(host_and_port(address), Ok((host.to_owned(), port)), "{address}");
        }
        for address in ["", "/version", "http://host", ":6443", "host:port", "host:65536", "a b"] {
            assert!(host_and_port(address).is_err(), "{address}");
        }
    }
}
