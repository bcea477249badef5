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
/// A value of `ParameterNotFoundActionType`.
pub const ALLOW_ACTION: &str = "Allow";
/// A value of `ParameterNotFoundActionType`.
pub const DENY_ACTION: &str = "Deny";
/// A value of `PatchType`.
pub const PATCH_TYPE_APPLY_CONFIGURATION: &str = "ApplyConfiguration";
/// A value of `PatchType`.
pub const PATCH_TYPE_JSON_PATCH: &str = "JSONPatch";
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
