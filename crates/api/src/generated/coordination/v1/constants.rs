// Made by `cargo xtask codegen` from xtask/schema: change those, not this.
//! Constants.

/// A value of `CoordinatedLeaseStrategy`.
pub const OLDEST_EMULATION_VERSION: &str = "OldestEmulationVersion";
