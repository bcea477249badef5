// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `APIServiceConditionType`.
pub const AVAILABLE: &str = "Available";
/// A value of `ConditionStatus`.
pub const CONDITION_FALSE: &str = "False";
/// A value of `ConditionStatus`.
pub const CONDITION_TRUE: &str = "True";
/// A value of `ConditionStatus`.
pub const CONDITION_UNKNOWN: &str = "Unknown";
