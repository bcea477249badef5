//! PEM, inline or in a file.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;

/// A certificate, a bundle of them, or a key: PEM that is either at hand or in a file.
///
/// `Debug` shows the path or the length, never the content.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Material {
    /// The PEM itself. It never changes.
    Data(Bytes),
    /// A file that holds it. It is read when it is needed, and again when it changes.
    File(PathBuf),
}

client_rs_machinery::options! {
    /// How the server proves who it is, and the client its own identity, during the TLS handshake.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct TlsOptions {
        /// The authorities that may sign the server's certificate. Default: those of the system.
        pub ca: Option<Material> => with_ca,
        /// The client's certificate, followed by its intermediates. Needs [`client_key`](Self::client_key). Default: none.
        pub client_certificate: Option<Material> => with_client_certificate,
        /// The key of [`client_certificate`](Self::client_certificate). Default: none.
        pub client_key: Option<Material> => with_client_key,
        /// The name to ask for (SNI) and to expect in the server's certificate. Default: the host of the server's URL.
        pub server_name: Option<String> => with_server_name,
        /// Take any server certificate. Whoever is between client and server then sees and changes everything.
        /// Default: false.
        pub insecure_skip_verify: bool => with_insecure_skip_verify,
    }
}

/// A file that should hold a certificate or a key could not be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot read {}: {error}", path.display())]
#[non_exhaustive]
pub struct MaterialError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub error: Arc<io::Error>,
}

impl Material {
    /// Reads the content; blocks on the file, if it is one.
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
    /// Does any of this only make sense with TLS? A server named without a scheme is then taken to speak it.
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
