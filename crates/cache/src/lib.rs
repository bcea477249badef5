//! Informers.
mod fetch_error;
mod list_watch;
mod random;
pub mod reflector;
#[cfg(test)]
mod testing;

pub use fetch_error::FetchError;
pub use list_watch::*;
pub use random::Random;
