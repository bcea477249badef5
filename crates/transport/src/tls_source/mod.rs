//! Where certificates and keys come from, and how changed files are noticed.
//!
//! Nothing here speaks TLS: this module hands out PEM and DER, and says when what was handed out has been replaced.

mod ca;
mod identity;
mod material;
mod x509;

pub use crate::metrics::CaReload;
pub use ca::{CaSource, Roots};
pub use identity::{ClientIdentity, Validity};
pub use material::{Material, MaterialError, TlsOptions};
pub use x509::Subject;
