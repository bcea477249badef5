// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `FailurePolicyType`.
pub const FAIL: &str = "Fail";
/// A value of `FailurePolicyType`.
pub const IGNORE: &str = "Ignore";
/// A value of `MatchPolicyType`.
pub const EQUIVALENT: &str = "Equivalent";
/// A value of `MatchPolicyType`.
pub const EXACT: &str = "Exact";
/// A value of `OperationType`.
pub const CONNECT: &str = "CONNECT";
/// A value of `OperationType`.
pub const CREATE: &str = "CREATE";
/// A value of `OperationType`.
pub const DELETE: &str = "DELETE";
/// A value of `OperationType`.
pub const OPERATION_ALL: &str = "*";
/// A value of `OperationType`.
pub const UPDATE: &str = "UPDATE";
/// A value of `ParameterNotFoundActionType`.
pub const ALLOW_ACTION: &str = "Allow";
/// A value of `ParameterNotFoundActionType`.
pub const DENY_ACTION: &str = "Deny";
/// A value of `PatchType`.
pub const PATCH_TYPE_APPLY_CONFIGURATION: &str = "ApplyConfiguration";
/// A value of `PatchType`.
pub const PATCH_TYPE_JSON_PATCH: &str = "JSONPatch";
/// A value of `ReinvocationPolicyType`.
pub const IF_NEEDED_REINVOCATION_POLICY: &str = "IfNeeded";
/// A value of `ReinvocationPolicyType`.
pub const NEVER_REINVOCATION_POLICY: &str = "Never";
/// A value of `ScopeType`.
pub const ALL_SCOPES: &str = "*";
/// A value of `ScopeType`.
pub const CLUSTER_SCOPE: &str = "Cluster";
/// A value of `ScopeType`.
pub const NAMESPACED_SCOPE: &str = "Namespaced";
/// A value of `SideEffectClass`.
pub const SIDE_EFFECT_CLASS_NONE: &str = "None";
/// A value of `SideEffectClass`.
pub const SIDE_EFFECT_CLASS_NONE_ON_DRY_RUN: &str = "NoneOnDryRun";
/// A value of `SideEffectClass`.
pub const SIDE_EFFECT_CLASS_SOME: &str = "Some";
/// A value of `SideEffectClass`.
pub const SIDE_EFFECT_CLASS_UNKNOWN: &str = "Unknown";
/// A value of `ValidationAction`.
pub const AUDIT: &str = "Audit";
/// A value of `ValidationAction`.
pub const DENY: &str = "Deny";
/// A value of `ValidationAction`.
pub const WARN: &str = "Warn";
