//! Client and server certificates that the cluster signs, and that renew themselves; helpers for keys, certificates and authorities.
//!
//! | for | see | in client-go |
//! |---|---|---|
//! | an identity that renews itself | [`CertificateManager`] | `util/certificate` |
//! | one certificate from the cluster | [`SigningRequest`] | `util/certificate/csr` |
//! | an authority of one's own, serving certificates for webhooks and tests | [`CertificateAuthority`] | `util/cert` |
//! | certificates and bundles in PEM and files | [`CertificateInfo`] | `util/cert` |
//! | the certificates that a server shows, and the authorities whose clients it accepts | [`ServedCertificates`] | `util/cert` |
//! | keys in PEM and files, certificate requests | [`PrivateKey`], [`PublicKey`] | `util/keyutil` |
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

mod authority;
mod der;
mod error;
mod info;
mod key;
mod manager;
mod pair;
mod request;
mod rotation;
mod served;
mod signing_request;
mod store;
mod template;

pub use authority::{CertificateAuthority, IssueOptions};
pub use error::CertificateError;
pub use info::CertificateInfo;
pub use key::{KeyKind, PrivateKey, PublicKey};
pub use manager::{CertificateManager, CertificateManagerOptions};
pub use pair::CertificatePair;
pub use request::Usage;
pub use rotation::{Rotation, Step};
pub use served::ServedCertificates;
pub use signing_request::{SigningRequest, SigningRequestOptions};
pub use store::{FileStore, MemoryStore, Store};
pub use template::CertificateTemplate;
