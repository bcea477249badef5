//! The server's certificate, which changes while it runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate or its key that can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file can't be read.
    #[error("can't read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file holds something else.
    #[error("{} holds no {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
    },
    /// The two do not belong together, or are of a kind that is not supported.
    #[error("the certificate can't be used")]
    Unusable(#[from] rustls::Error),
}

/// The certificate that is current, and where it comes from.
pub(crate) struct Certificate {
    files: [PathBuf; 2],
    provider: Arc<CryptoProvider>,
    current: RwLock<(Arc<CertifiedKey>, [Vec<u8>; 2])>,
}

impl Certificate {
    pub(crate) fn read(certificate: &Path, key: &Path) -> Result<Self, CertificateError> {
        let provider = CryptoProvider::get_default().cloned();
        let provider = provider.unwrap_or_else(|| Arc::new(rustls::crypto::aws_lc_rs::default_provider()));
        let files = [certificate.to_owned(), key.to_owned()];
        let texts = texts(&files)?;
        let current = RwLock::new((parse(&files, &texts, &provider)?, texts));
        Ok(Self { files, provider, current })
    }

    /// Reads the files again; whether there is another certificate now. One that can't be used leaves the old one in use.
    pub(crate) fn reload(&self) -> Result<bool, CertificateError> {
        let texts = texts(&self.files)?;
        if self.current.read().unwrap_or_else(PoisonError::into_inner).1 == texts {
            return Ok(false);
        }
        let key = parse(&self.files, &texts, &self.provider)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = (key, texts);
        Ok(true)
    }

    pub(crate) fn config(self: &Arc<Self>) -> Result<ServerConfig, CertificateError> {
        let resolver: Arc<dyn ResolvesServerCert> = Arc::clone(self) as _;
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner).0))
    }
}

fn texts(files: &[PathBuf; 2]) -> Result<[Vec<u8>; 2], CertificateError> {
    let read = |path: &PathBuf| {
        std::fs::read(path).map_err(|source| CertificateError::Read { path: path.clone(), source })
    };
    Ok([read(&files[0])?, read(&files[1])?])
}

fn parse(
    files: &[PathBuf; 2],
    texts: &[Vec<u8>; 2],
    provider: &CryptoProvider,
) -> Result<Arc<CertifiedKey>, CertificateError> {
    let content = |at: usize, what| CertificateError::Content { path: files[at].clone(), what };
    let chain: Result<Vec<CertificateDer<'static>>, _> = CertificateDer::pem_slice_iter(&texts[0]).collect();
    let chain =
        chain.ok().filter(|chain| !chain.is_empty()).ok_or_else(|| content(0, "certificate in PEM"))?;
    let key = PrivateKeyDer::from_pem_slice(&texts[1]).map_err(|_| content(1, "private key in PEM"))?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, provider)?))
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("files", &self.files).finish_non_exhaustive()
    }
}
