//! [`Reflector`].
mod backoff;
mod machine;
mod staging;

pub use backoff::{Backoff, BackoffOptions, ExponentialBackoff};
