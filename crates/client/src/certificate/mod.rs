//! Client and server certificates that the cluster signs, and that renew themselves.
//!
//! A [`CertificateManager`] manages one identity. It creates a key, sends a `CertificateSigningRequest`, waits until it is approved
//! and issued, [stores](Store) the certificate, and requests the next one before it expires, at a random moment between 70 and
//! 90 % of its lifetime. It is suitable for clients (such as the identity of a kubelet) and for servers. For a certificate
//! that another program renews, such as cert-manager, you do not need it: the transport notices changed files.
//!
//! [`Rotation`] decides when to renew, without a clock and without I/O.
//!
//! **Using the certificate in a live transport.** A [`FileStore`] keeps certificate and key in one file, whose name never changes.
//! Set [`TlsOptions`](client_rs_transport::TlsOptions) to this file for both ([`FileStore::current_path`]): the transport reads it
//! again with each connection, and closes the connections that were made with the old certificate.
//!
//! ```
//! use client_rs_client::certificate::FileStore;
//! use client_rs_transport::{Config, Material, TlsOptions};
//!
//! # let folder = tempfile::tempdir()?;
//! let store = FileStore::new(folder.path(), "my-client")?;
//! let current = Material::File(store.current_path());
//! let tls = TlsOptions::default().with_client_certificate(current.clone()).with_client_key(current);
//! let config = Config::new("https://k8s.example".parse()?).with_tls(tls);
//! assert!(config.tls.implies_tls());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod manager;
mod pair;
mod request;
mod rotation;
mod store;
mod template;

pub use error::CertificateError;
pub use manager::{CertificateManager, CertificateManagerOptions};
pub use pair::CertificatePair;
pub use request::{KeyKind, Usage};
pub use rotation::{Rotation, Step};
pub use store::{FileStore, MemoryStore, Store};
pub use template::CertificateTemplate;
