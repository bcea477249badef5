//! Definitions on a server: merge versions, install, upgrade in place without loss of data.
//!
//! Most programs need one call when they start: [`apply`], with the definitions of their kinds. [`merge`] comes first if a
//! kind has several versions. [`losses`] and [`document`] serve tests and tools.

mod install;
mod loss;
mod merge;

pub use install::{InstallError, InstallOptions, Installed, apply, apply_with, document};
pub use loss::{DataLoss, losses};
pub use merge::{MergeError, merge};
