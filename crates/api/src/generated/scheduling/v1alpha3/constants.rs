// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `PreemptionPolicy`.
pub const PREEMPT_LOWER_PRIORITY: &str = "PreemptLowerPriority";
/// A value of `PreemptionPolicy`.
pub const PREEMPT_NEVER: &str = "Never";
