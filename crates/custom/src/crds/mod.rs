//! Definitions on a server: several versions made one, installed, upgraded in place.

mod install;
mod loss;
mod merge;

pub use install::{InstallError, InstallOptions, Installed, apply, apply_with, document};
pub use loss::{DataLoss, losses};
pub use merge::{MergeError, merge};
