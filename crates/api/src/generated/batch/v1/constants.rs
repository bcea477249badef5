// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `CompletionMode`.
pub const INDEXED_COMPLETION: &str = "Indexed";
/// A value of `CompletionMode`.
pub const NON_INDEXED_COMPLETION: &str = "NonIndexed";
/// A value of `ConcurrencyPolicy`.
pub const ALLOW_CONCURRENT: &str = "Allow";
/// A value of `ConcurrencyPolicy`.
pub const FORBID_CONCURRENT: &str = "Forbid";
/// A value of `ConcurrencyPolicy`.
pub const REPLACE_CONCURRENT: &str = "Replace";
/// A value of `JobConditionType`.
pub const JOB_COMPLETE: &str = "Complete";
/// A value of `JobConditionType`.
pub const JOB_FAILED: &str = "Failed";
/// A value of `JobConditionType`.
pub const JOB_FAILURE_TARGET: &str = "FailureTarget";
/// A value of `JobConditionType`.
pub const JOB_SUCCESS_CRITERIA_MET: &str = "SuccessCriteriaMet";
/// A value of `JobConditionType`.
pub const JOB_SUSPENDED: &str = "Suspended";
/// A value of `PodFailurePolicyAction`.
pub const POD_FAILURE_POLICY_ACTION_COUNT: &str = "Count";
/// A value of `PodFailurePolicyAction`.
pub const POD_FAILURE_POLICY_ACTION_FAIL_INDEX: &str = "FailIndex";
/// A value of `PodFailurePolicyAction`.
pub const POD_FAILURE_POLICY_ACTION_FAIL_JOB: &str = "FailJob";
/// A value of `PodFailurePolicyAction`.
pub const POD_FAILURE_POLICY_ACTION_IGNORE: &str = "Ignore";
/// A value of `PodFailurePolicyOnExitCodesOperator`.
pub const POD_FAILURE_POLICY_ON_EXIT_CODES_OP_IN: &str = "In";
/// A value of `PodFailurePolicyOnExitCodesOperator`.
pub const POD_FAILURE_POLICY_ON_EXIT_CODES_OP_NOT_IN: &str = "NotIn";
/// A value of `PodReplacementPolicy`.
pub const FAILED: &str = "Failed";
/// A value of `PodReplacementPolicy`.
pub const TERMINATING_OR_FAILED: &str = "TerminatingOrFailed";
