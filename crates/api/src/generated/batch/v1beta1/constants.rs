// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `ConcurrencyPolicy`.
pub const ALLOW_CONCURRENT: &str = "Allow";
/// A value of `ConcurrencyPolicy`.
pub const FORBID_CONCURRENT: &str = "Forbid";
/// A value of `ConcurrencyPolicy`.
pub const REPLACE_CONCURRENT: &str = "Replace";
