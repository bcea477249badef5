//! Inputs that tests of several packages and the fuzz targets share, and what must hold of them.
//!
//! A feature for each crate that they are for, so that a crate's tests compile nothing above it.

#![allow(clippy::unwrap_used, reason = "a panic is the report, also of a helper")]

// Made of a definition by `krs generate`; a test of `crates/custom` holds it to that, to the byte.
#[cfg(feature = "custom")]
#[allow(missing_docs, reason = "it is as it is made")]
#[rustfmt::skip]
pub mod ferry;
#[cfg(feature = "machinery")]
pub mod hostile;
#[cfg(feature = "transport")]
pub mod hostile_kubeconfig;
#[cfg(feature = "transport")]
pub mod kubeconfigs;
#[cfg(feature = "machinery")]
pub mod patches;
