// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `UnhealthyPodEvictionPolicyType`.
pub const ALWAYS_ALLOW: &str = "AlwaysAllow";
/// A value of `UnhealthyPodEvictionPolicyType`.
pub const IF_HEALTHY_BUDGET: &str = "IfHealthyBudget";
