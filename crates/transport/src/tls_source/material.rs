//! PEM data, inline or in a file.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;

/// PEM data: a certificate, a bundle of certificates, or a key, either inline or in a file.
///
/// Prefer a file for anything that is renewed: clients notice when it changes. `Debug` shows the path or the length, never the
/// content.
///
/// ```
/// use client_rs_transport::Material;
///
/// let inline = Material::Data("-----BEGIN CERTIFICATE-----".into());
/// assert_eq!(inline.read()?.len(), 27);
/// assert!(Material::File("/no/such/ca.crt".into()).read().unwrap_err().to_string().contains("/no/such/ca.crt"));
/// # Ok::<(), client_rs_transport::tls_source::MaterialError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Material {
    /// The PEM itself. It never changes.
    Data(Bytes),
    /// A file with PEM data. It is read when it is needed, and again when it changes.
    File(PathBuf),
}

client_rs_machinery::options! {
    /// The TLS settings of a client: how it verifies the server, and the certificate that it shows.
    ///
    /// ```
    /// use client_rs_transport::{Material, TlsOptions};
    ///
    /// let tls = TlsOptions::default()
    ///     .with_ca(Material::File("ca.crt".into()))
    ///     .with_client_certificate(Material::File("tls.crt".into()))
    ///     .with_client_key(Material::File("tls.key".into()));
    /// assert!(tls.implies_tls());
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct TlsOptions {
        /// The authorities that may sign the server's certificate. Default: the authorities of the operating system.
        pub ca: Option<Material> => with_ca,
        /// The client's certificate, followed by its intermediates. Requires [`client_key`](Self::client_key). Default: none.
        pub client_certificate: Option<Material> => with_client_certificate,
        /// The key of [`client_certificate`](Self::client_certificate). Default: none.
        pub client_key: Option<Material> => with_client_key,
        /// The server name to send (SNI) and to expect in the server's certificate. Default: the host of the server's URL.
        pub server_name: Option<String> => with_server_name,
        /// Accept any server certificate. Anyone between client and server can then read and change everything. Default: false.
        pub insecure_skip_verify: bool => with_insecure_skip_verify,
    }
}

/// A certificate or key file could not be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot read {}: {error}", path.display())]
#[non_exhaustive]
pub struct MaterialError {
    /// The file.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: Arc<io::Error>,
}

impl Material {
    /// Reads the content. Blocks on the file, if it is one.
    pub fn read(&self) -> Result<Bytes, MaterialError> {
        match self {
            Self::Data(data) => Ok(data.clone()),
            Self::File(path) => std::fs::read(path)
                .map(Bytes::from)
                .map_err(|error| MaterialError { path: path.clone(), error: Arc::new(error) }),
        }
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Data(_) => None,
            Self::File(path) => Some(path),
        }
    }
}

impl TlsOptions {
    /// Returns `true` if an option is set that has an effect only with TLS. The server then uses TLS, if its address has no scheme.
    pub fn implies_tls(&self) -> bool {
        self.ca.is_some() || self.client_certificate.is_some() || self.insecure_skip_verify
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(data) => write!(f, "Data({} bytes)", data.len()),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
        }
    }
}
