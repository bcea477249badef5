// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `AllocationConfigSource`.
pub const ALLOCATION_CONFIG_SOURCE_CLAIM: &str = "FromClaim";
/// A value of `AllocationConfigSource`.
pub const ALLOCATION_CONFIG_SOURCE_CLASS: &str = "FromClass";
/// A value of `DeviceAllocationMode`.
pub const DEVICE_ALLOCATION_MODE_ALL: &str = "All";
/// A value of `DeviceAllocationMode`.
pub const DEVICE_ALLOCATION_MODE_EXACT_COUNT: &str = "ExactCount";
/// A value of `DeviceTaintEffect`.
pub const DEVICE_TAINT_EFFECT_NO_EXECUTE: &str = "NoExecute";
/// A value of `DeviceTaintEffect`.
pub const DEVICE_TAINT_EFFECT_NO_SCHEDULE: &str = "NoSchedule";
/// A value of `DeviceTaintEffect`.
pub const DEVICE_TAINT_EFFECT_NONE: &str = "None";
/// A value of `DeviceTolerationOperator`.
pub const DEVICE_TOLERATION_OP_EQUAL: &str = "Equal";
/// A value of `DeviceTolerationOperator`.
pub const DEVICE_TOLERATION_OP_EXISTS: &str = "Exists";
/// A value of `SkipNodeOperation`.
pub const SKIP_NODE_OPERATION_ALL: &str = "*";
/// A value of `SkipNodeOperation`.
pub const SKIP_NODE_OPERATION_NODE_PREPARE_RESOURCES: &str = "NodePrepareResources";
/// A value of `SkipNodeOperation`.
pub const SKIP_NODE_OPERATION_NODE_UNPREPARE_RESOURCES: &str = "NodeUnprepareResources";
