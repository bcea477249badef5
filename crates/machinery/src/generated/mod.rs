// Made by `cargo xtask codegen` from schema: change those, not this.
//! Everything generated.

/// The group `meta`.
pub mod meta;
