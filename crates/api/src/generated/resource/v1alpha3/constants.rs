// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `DeviceTaintEffect`.
pub const DEVICE_TAINT_EFFECT_NO_EXECUTE: &str = "NoExecute";
/// A value of `DeviceTaintEffect`.
pub const DEVICE_TAINT_EFFECT_NO_SCHEDULE: &str = "NoSchedule";
/// A value of `DeviceTaintEffect`.
pub const DEVICE_TAINT_EFFECT_NONE: &str = "None";
