//! Certificates that renew themselves.
//!
//! A [`CertificateManager`] holds an identity that the cluster signs: it makes a key, asks for a certificate
//! (a `CertificateSigningRequest`), waits until it is approved and issued, [stores](Store) it, and asks for the next one
//! before it expires, at a random moment between 70 and 90 % of its life. It serves clients (`kubelet`'s own identity) and
//! servers.
//!
//! When that moment has come is decided without clock or I/O, in [`Rotation`].
//!
//! **Into a live transport**: a [`FileStore`] keeps certificate and key in one file, whose name never changes. A
//! [`TlsOptions`](client_rs_transport::TlsOptions) that names this file for both ([`FileStore::current_path`]) is enough:
//! the transport reads it again with each connection, and closes the connections that were made with the old one.

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
