//! TLS for clients: the servers that a client trusts, and the certificate that it shows.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{ResolvesClientCert, WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use crate::tls_source::{may_serve, validity_of};

/// The certificate authorities that a client trusts.
#[derive(Clone, Debug)]
pub enum Trust {
    /// The authorities of the operating system.
    System,
    /// Only these, and servers whose own certificate is one of these. An empty list trusts no server.
    Only(Arc<[CertificateDer<'static>]>),
    /// Any certificate. Anyone on the network path can read and change everything.
    Anybody,
}

/// A TLS configuration could not be built. It contains no part of the certificates.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// The program was built without a cryptography provider.
    #[error("this program was built without TLS: enable the feature `aws-lc-rs` or `ring`")]
    NoProvider,
    /// The operating system has no certificates, or they can't be read.
    #[error("the system's certificate authorities can't be used ({0}): name one in the configuration")]
    SystemRoots(String),
    /// An authority's certificate is not valid.
    #[error("a certificate authority can't be used: {0}")]
    Roots(String),
    /// The client's certificate or its key is not valid, or they do not match.
    #[error("the client's certificate can't be used: {0}")]
    Identity(String),
    /// The TLS library rejected the settings.
    #[error("TLS can't be configured: {0}")]
    Other(rustls::Error),
}

/// Builds a configuration for handshakes with TLS 1.2 or 1.3. It offers `protocols` (ALPN), the preferred one first.
///
/// The client shows its certificate, if it has one, to every server that requests one, even if the server names other
/// authorities.
///
/// Most programs do not call this: a [`Transport`](crate::http::Transport) that is made from a config builds its own, and
/// replaces it when files change. Call it for a [`TransportBuilder`](crate::http::TransportBuilder).
///
/// ```
/// use client_rs_transport::tls::{Trust, client_config};
///
/// # let made = rcgen::generate_simple_self_signed(vec!["k8s.example".to_owned()])?;
/// # let authority = made.cert.der().clone();
/// let trust = Trust::Only([authority].into());
/// let config = client_config(&trust, None, &[b"h2", b"http/1.1"])?;
/// assert_eq!(config.alpn_protocols, [&b"h2"[..], b"http/1.1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn client_config(
    trust: &Trust,
    identity: Option<(&[CertificateDer<'static>], &PrivateKeyDer<'static>)>,
    protocols: &[&[u8]],
) -> Result<ClientConfig, TlsError> {
    let provider = provider()?;
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().map_err(TlsError::Other)?;
    let verifier: Arc<dyn ServerCertVerifier> = match trust {
        Trust::Anybody => Arc::new(NoVerifier(Arc::clone(&provider))),
        Trust::Only(roots) if roots.is_empty() => Arc::new(Nobody(Arc::clone(&provider))),
        Trust::Only(roots) => Arc::new(Bundle {
            authorities: verifier(roots.iter().cloned(), &provider)?,
            certificates: Arc::clone(roots),
        }),
        Trust::System => verifier(system_roots()?.into_iter(), &provider)?,
    };
    let builder = builder.dangerous().with_custom_certificate_verifier(verifier);
    let mut config = match identity {
        None => builder.with_no_client_auth(),
        Some((chain, key)) => {
            builder.with_client_cert_resolver(Arc::new(Always::new(chain, key, &provider)?))
        }
    };
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(config)
}

/// The cryptography provider: the one that the program has installed, else the one that it was built with.
// Without a provider, the result is an error.
#[cfg_attr(any(feature = "ring", feature = "aws-lc-rs"), allow(clippy::unnecessary_wraps))]
pub(crate) fn provider() -> Result<Arc<CryptoProvider>, TlsError> {
    if let Some(installed) = CryptoProvider::get_default() {
        return Ok(Arc::clone(installed));
    }
    #[cfg(feature = "aws-lc-rs")]
    return Ok(Arc::new(rustls::crypto::aws_lc_rs::default_provider()));
    #[cfg(all(feature = "ring", not(feature = "aws-lc-rs")))]
    return Ok(Arc::new(rustls::crypto::ring::default_provider()));
    #[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
    Err(TlsError::NoProvider)
}

fn system_roots() -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let why: Vec<_> = found.errors.iter().map(ToString::to_string).collect();
        let why = if why.is_empty() { "none found".to_owned() } else { why.join("; ") };
        return Err(TlsError::SystemRoots(why));
    }
    Ok(found.certs)
}

fn verifier(
    roots: impl Iterator<Item = CertificateDer<'static>>,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, TlsError> {
    let mut store = RootCertStore::empty();
    // One bad certificate in a bundle does not invalidate the others.
    let (added, ignored) = store.add_parsable_certificates(roots);
    if added == 0 {
        return Err(TlsError::Roots(format!("none of {ignored} certificates can be read")));
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider)).build();
    Ok(verifier.map_err(|error| TlsError::Roots(error.to_string()))?)
}

/// Trusts the servers that an authority of the bundle has certified, and those whose own certificate is in it. Go does the
/// same: tools put a server's certificate where the authority belongs. Its name, validity and use are checked all the same.
#[derive(Debug)]
struct Bundle {
    authorities: Arc<dyn ServerCertVerifier>,
    certificates: Arc<[CertificateDer<'static>]>,
}

impl ServerCertVerifier for Bundle {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if !self.certificates.iter().any(|known| known.as_ref() == own.as_ref()) {
            return self.authorities.verify_server_cert(own, others, name, ocsp, now);
        }
        let time = UNIX_EPOCH + Duration::from_secs(now.as_secs());
        let validity = validity_of(own).ok_or(CertificateError::BadEncoding)?;
        if time < validity.not_before {
            return Err(CertificateError::NotValidYet.into());
        }
        if time > validity.not_after {
            return Err(CertificateError::Expired.into());
        }
        verify_server_name(&ParsedCertificate::try_from(own)?, name)?;
        match may_serve(own) {
            Some(true) => Ok(ServerCertVerified::assertion()),
            Some(false) => Err(CertificateError::InvalidPurpose.into()),
            None => Err(CertificateError::BadEncoding.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.authorities.verify_tls12_signature(message, cert, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.authorities.verify_tls13_signature(message, cert, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.supported_verify_schemes()
    }
}

/// Shows the same certificate to every server that requests one.
struct Always(Arc<rustls::sign::CertifiedKey>);

impl Always {
    fn new(
        chain: &[CertificateDer<'static>],
        key: &PrivateKeyDer<'static>,
        provider: &CryptoProvider,
    ) -> Result<Self, TlsError> {
        let refused = |error: rustls::Error| TlsError::Identity(error.to_string());
        let key = rustls::sign::CertifiedKey::from_der(chain.to_vec(), key.clone_key(), provider)
            .map_err(refused)?;
        Ok(Self(Arc::new(key)))
    }
}

impl ResolvesClientCert for Always {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<rustls::sign::CertifiedKey>> {
        // A server may name authorities that did not sign our certificate and still accept it. Go shows it in this case too.
        Some(Arc::clone(&self.0))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

impl fmt::Debug for Always {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Always")
    }
}

/// Accepts every certificate, but still verifies that the server has its key.
#[derive(Debug)]
struct NoVerifier(Arc<CryptoProvider>);

/// Accepts no certificate.
#[derive(Debug)]
struct Nobody(Arc<CryptoProvider>);

macro_rules! check_signatures {
    ($name:ident, $verdict:expr) => {
        impl ServerCertVerifier for $name {
            fn verify_server_cert(
                &self,
                _: &CertificateDer<'_>,
                _: &[CertificateDer<'_>],
                _: &ServerName<'_>,
                _: &[u8],
                _: UnixTime,
            ) -> Result<ServerCertVerified, rustls::Error> {
                $verdict
            }

            fn verify_tls12_signature(
                &self,
                message: &[u8],
                cert: &CertificateDer<'_>,
                signature: &DigitallySignedStruct,
            ) -> Result<HandshakeSignatureValid, rustls::Error> {
                let algorithms = &self.0.signature_verification_algorithms;
                rustls::crypto::verify_tls12_signature(message, cert, signature, algorithms)
            }

            fn verify_tls13_signature(
                &self,
                message: &[u8],
                cert: &CertificateDer<'_>,
                signature: &DigitallySignedStruct,
            ) -> Result<HandshakeSignatureValid, rustls::Error> {
                let algorithms = &self.0.signature_verification_algorithms;
                rustls::crypto::verify_tls13_signature(message, cert, signature, algorithms)
            }

            fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
                self.0.signature_verification_algorithms.supported_schemes()
            }
        }
    };
}

check_signatures!(NoVerifier, Ok(ServerCertVerified::assertion()));
check_signatures!(Nobody, Err(rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer)));

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, ExtendedKeyUsagePurpose, Issuer, KeyPair};

    fn verdict(
        change: impl FnOnce(&mut CertificateParams),
        name: &'static str,
        now: u64,
    ) -> Result<(), CertificateError> {
        let mut of_authority = CertificateParams::default();
        of_authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let authority = Issuer::new(of_authority, KeyPair::generate().unwrap());
        let mut params = CertificateParams::new(vec!["hook.example".to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2030, 1, 1);
        change(&mut params);
        let leaf = params.signed_by(&KeyPair::generate().unwrap(), &authority).unwrap();
        let trust = Trust::Only([leaf.der().clone()].into());
        let Trust::Only(roots) = &trust else { unreachable!() };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let bundle = Bundle {
            authorities: verifier(roots.iter().cloned(), &provider).unwrap(),
            certificates: Arc::clone(roots),
        };
        let (name, now) =
            (ServerName::try_from(name).unwrap(), UnixTime::since_unix_epoch(Duration::from_secs(now)));
        match bundle.verify_server_cert(leaf.der(), &[], &name, &[], now) {
            Ok(_) => Ok(()),
            Err(rustls::Error::InvalidCertificate(why)) => Err(why),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_servers_own_certificate_in_the_bundle_is_trusted_within_its_limits() {
        const IN_2026: u64 = 1_780_000_000;
        assert_eq!(verdict(|_| {}, "hook.example", IN_2026), Ok(()));
        assert!(matches!(
            verdict(|_| {}, "other.example", IN_2026),
            Err(CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. })
        ));
        assert_eq!(verdict(|_| {}, "hook.example", 1_000_000_000), Err(CertificateError::NotValidYet));
        assert_eq!(verdict(|_| {}, "hook.example", 2_000_000_000), Err(CertificateError::Expired));
        let uses = |purpose| move |params: &mut CertificateParams| params.extended_key_usages = vec![purpose];
        assert_eq!(verdict(uses(ExtendedKeyUsagePurpose::ServerAuth), "hook.example", IN_2026), Ok(()));
        let client = verdict(uses(ExtendedKeyUsagePurpose::ClientAuth), "hook.example", IN_2026);
        assert_eq!(client, Err(CertificateError::InvalidPurpose));
    }
}
