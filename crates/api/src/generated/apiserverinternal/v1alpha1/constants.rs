// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `ConditionStatus`.
pub const CONDITION_FALSE: &str = "False";
/// A value of `ConditionStatus`.
pub const CONDITION_TRUE: &str = "True";
/// A value of `ConditionStatus`.
pub const CONDITION_UNKNOWN: &str = "Unknown";
/// A value of `StorageVersionConditionType`.
pub const ALL_ENCODING_VERSIONS_EQUAL: &str = "AllEncodingVersionsEqual";
