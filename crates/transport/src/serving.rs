//! TLS for servers in your program, such as webhooks and metrics endpoints.
//!
//! The certificate and the client authorities come from PEM files. [`keep_current`] reloads them when the files change, as
//! cert-manager and mounted secrets do, without a restart and without closing connections.
//!
//! ```
//! use std::sync::Arc;
//! use client_rs_transport::serving::{ServingCertificate, server_config};
//!
//! # let folder = tempfile::tempdir()?;
//! # let made = rcgen::generate_simple_self_signed(vec!["webhook.web.svc".to_owned()])?;
//! # let (certificate_file, key_file) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
//! # std::fs::write(&certificate_file, made.cert.pem())?;
//! # std::fs::write(&key_file, made.signing_key.serialize_pem())?;
//! let certificate = Arc::new(ServingCertificate::read(&certificate_file, &key_file)?);
//! let config = server_config(&certificate, None, &[b"h2", b"http/1.1"])?;
//! assert_eq!(config.alpn_protocols.len(), 2);
//!
//! assert!(!certificate.reload()?, "the files did not change");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::CryptoProvider;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{
    CertificateError as Refused, DigitallySignedStruct, DistinguishedName, Error, RootCertStore,
    ServerConfig, SignatureScheme,
};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, UnixTime};

use crate::tls::{TlsError, provider};
use crate::tls_source::Subject;

/// A certificate, key or authority file is not usable. The error contains no part of the file's content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServingCertificateError {
    /// A file can't be read.
    #[error("can't read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// A file does not contain the expected PEM block.
    #[error("{} holds no {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The expected content.
        what: &'static str,
    },
    /// Certificate and key do not match, or their algorithm is not supported.
    #[error("the certificate can't be used: {0}")]
    Unusable(Error),
    /// The program was built without a cryptography provider.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

// Not a source: the message contains its text.
impl From<Error> for ServingCertificateError {
    fn from(error: Error) -> Self {
        Self::Unusable(error)
    }
}

/// The certificate of a server, from two PEM files. [`reload`](Self::reload) reads them again.
///
/// See the [module documentation](self) for an example. Handshakes that begin after a reload use the new certificate.
pub struct ServingCertificate {
    files: [PathBuf; 2],
    provider: Arc<CryptoProvider>,
    current: RwLock<(Arc<CertifiedKey>, [Vec<u8>; 2])>,
}

impl ServingCertificate {
    /// Reads a certificate, followed by its intermediate certificates, and its private key. Blocks on the files.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, ServingCertificateError> {
        let provider = provider()?;
        let files = [certificate.to_owned(), key.to_owned()];
        let texts = [read(&files[0])?, read(&files[1])?];
        let current = RwLock::new((parse(&files, &texts, &provider)?, texts));
        Ok(Self { files, provider, current })
    }

    /// Reads the files again and returns `true` if the certificate has changed. If the new files are not usable, this returns an
    /// error and the old certificate stays in use. Blocks on the files.
    pub fn reload(&self) -> Result<bool, ServingCertificateError> {
        let texts = [read(&self.files[0])?, read(&self.files[1])?];
        if self.current.read().unwrap_or_else(PoisonError::into_inner).1 == texts {
            return Ok(false);
        }
        let key = parse(&self.files, &texts, &self.provider)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = (key, texts);
        Ok(true)
    }
}

impl ResolvesServerCert for ServingCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner).0))
    }
}

impl fmt::Debug for ServingCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServingCertificate").field("files", &self.files).finish_non_exhaustive()
    }
}

/// The clients that may connect: those whose certificate is signed by one of these authorities and has one of these common
/// names.
///
/// The authorities come from a PEM file. [`reload`](Self::reload) reads it again. The API server's own certificate is a typical
/// use: a webhook can accept connections from nobody else.
///
/// ```
/// use client_rs_transport::serving::ClientAuthority;
///
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("ca.crt");
/// # std::fs::write(&file, rcgen::generate_simple_self_signed(vec!["ca".to_owned()])?.cert.pem())?;
/// let clients = ClientAuthority::read(&file, ["kube-apiserver".to_owned()])?;
/// assert!(!clients.reload()?, "the file did not change");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ClientAuthority {
    file: PathBuf,
    names: Vec<String>,
    provider: Arc<CryptoProvider>,
    current: RwLock<(Arc<dyn ClientCertVerifier>, Vec<u8>)>,
}

impl ClientAuthority {
    /// Reads the certificates of the authorities. If `names` is empty, every certificate that they signed is accepted. Blocks on
    /// the file.
    pub fn read(
        file: &Path,
        names: impl IntoIterator<Item = String>,
    ) -> Result<Self, ServingCertificateError> {
        let provider = provider()?;
        let text = read(file)?;
        let current = RwLock::new((verifier(file, &text, &provider)?, text));
        Ok(Self { file: file.to_owned(), names: names.into_iter().collect(), provider, current })
    }

    /// Reads the file again and returns `true` if the authorities have changed. If the file is not usable, this returns an error
    /// and the old authorities stay in use. Blocks on the file.
    pub fn reload(&self) -> Result<bool, ServingCertificateError> {
        let text = read(&self.file)?;
        if self.current.read().unwrap_or_else(PoisonError::into_inner).1 == text {
            return Ok(false);
        }
        let verifier = verifier(&self.file, &text, &self.provider)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = (verifier, text);
        Ok(true)
    }

    fn verifier(&self) -> Arc<dyn ClientCertVerifier> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner).0)
    }
}

impl ClientCertVerifier for ClientAuthority {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        // The authorities may change. A client with one certificate shows it without a hint.
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        let verified = self.verifier().verify_client_cert(certificate, others, now)?;
        let known = |name: &str| self.names.iter().any(|known| known == name);
        if self.names.is_empty()
            || Subject::of_certificate(certificate)
                .and_then(|subject| subject.common_name())
                .is_some_and(known)
        {
            return Ok(verified);
        }
        Err(Refused::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier().verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier().verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier().supported_verify_schemes()
    }
}

impl fmt::Debug for ClientAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ClientAuthority");
        shown.field("file", &self.file).field("names", &self.names).finish_non_exhaustive()
    }
}

/// Builds a configuration for handshakes with TLS 1.2 or 1.3. It offers `protocols` (ALPN), the preferred one first.
///
/// With `clients`, a client without a certificate is refused. The configuration uses reloaded certificates and authorities: you
/// need not build it again.
pub fn server_config(
    certificate: &Arc<ServingCertificate>,
    clients: Option<&Arc<ClientAuthority>>,
    protocols: &[&[u8]],
) -> Result<ServerConfig, ServingCertificateError> {
    let builder = ServerConfig::builder_with_provider(Arc::clone(&certificate.provider));
    let builder = builder.with_safe_default_protocol_versions()?;
    let builder = match clients {
        Some(clients) => builder.with_client_cert_verifier(Arc::clone(clients) as _),
        None => builder.with_no_client_auth(),
    };
    let mut config = builder.with_cert_resolver(Arc::clone(certificate) as _);
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(config)
}

/// Reloads the files every `every` (at least 10 ms) and logs a warning for a file that is not usable.
///
/// The future never completes: spawn it next to the server, and drop or abort it to stop.
pub async fn keep_current(
    certificate: Arc<ServingCertificate>,
    clients: Option<Arc<ClientAuthority>>,
    every: Duration,
) {
    loop {
        tokio::time::sleep(every.max(Duration::from_millis(10))).await;
        let (certificate, clients) = (Arc::clone(&certificate), clients.clone());
        let reload = move || -> [Result<bool, ServingCertificateError>; 2] {
            [certificate.reload(), clients.map_or(Ok(false), |clients| clients.reload())]
        };
        let reloaded = match tokio::task::spawn_blocking(reload).await {
            Ok(reloaded) => reloaded,
            Err(error) => {
                tracing::warn!(%error, "failed to reload the serving certificates");
                continue;
            }
        };
        for reloaded in reloaded {
            match reloaded {
                Ok(true) => tracing::info!("serving certificates reloaded"),
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "keeping the old serving certificates");
                }
            }
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ServingCertificateError> {
    std::fs::read(path).map_err(|error| ServingCertificateError::Read { path: path.to_owned(), error })
}

fn parse(
    files: &[PathBuf; 2],
    texts: &[Vec<u8>; 2],
    provider: &CryptoProvider,
) -> Result<Arc<CertifiedKey>, ServingCertificateError> {
    let chain = certificates(&files[0], &texts[0])?;
    let what = "private key in PEM";
    let key = PrivateKeyDer::from_pem_slice(&texts[1])
        .map_err(|_| ServingCertificateError::Content { path: files[1].clone(), what })?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, provider)?))
}

fn certificates(path: &Path, text: &[u8]) -> Result<Vec<CertificateDer<'static>>, ServingCertificateError> {
    let found: Result<Vec<CertificateDer<'static>>, _> = CertificateDer::pem_slice_iter(text).collect();
    let what = "certificate in PEM";
    let none = || ServingCertificateError::Content { path: path.to_owned(), what };
    found.ok().filter(|found| !found.is_empty()).ok_or_else(none)
}

fn verifier(
    path: &Path,
    text: &[u8],
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, ServingCertificateError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path, text)? {
        roots.add(certificate)?;
    }
    let builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
    let what = "certificate of an authority";
    builder.build().map_err(|_| ServingCertificateError::Content { path: path.to_owned(), what })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_certificates::self_signed;

    #[test]
    fn a_file_without_a_certificate_or_key_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
        let (text, secret) = self_signed("name");
        std::fs::write(&certificate, text).unwrap();
        std::fs::write(&key, secret).unwrap();
        for (certificate, key, expected) in [
            (&certificate, &folder.path().join("none"), "can't read"),
            (&key, &key, "holds no certificate in PEM"),
            (&certificate, &certificate, "holds no private key in PEM"),
        ] {
            let error = ServingCertificate::read(certificate, key).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let read = ServingCertificate::read(&certificate, &key).unwrap();
        assert!(!read.reload().unwrap());
        let (text, secret) = self_signed("other");
        std::fs::write(&certificate, text).unwrap();
        // Half of the change: certificate and key do not match.
        assert!(read.reload().is_err());
        std::fs::write(&key, secret).unwrap();
        assert!(read.reload().unwrap());
        assert!(ClientAuthority::read(&key, []).is_err());
        assert!(!ClientAuthority::read(&certificate, []).unwrap().reload().unwrap());
    }
}
