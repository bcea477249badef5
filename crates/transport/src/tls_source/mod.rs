//! Sources of certificates and keys that notice changed files.
//!
//! This module does not implement TLS. It returns PEM and DER data, and reports when that data has been replaced. See
//! [`tls`](crate::tls) for handshakes.

mod ca;
mod identity;
mod material;
mod x509;

pub use crate::metrics::CaReload;
pub use ca::{CaSource, Roots};
pub(crate) use identity::validity_of;
pub use identity::{ClientIdentity, Validity};
pub use material::{Material, MaterialError, TlsOptions};
pub(crate) use x509::may_serve;
pub use x509::{Subject, is_authority};
