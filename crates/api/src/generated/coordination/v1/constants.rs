// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `CoordinatedLeaseStrategy`.
pub const OLDEST_EMULATION_VERSION: &str = "OldestEmulationVersion";
