// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `PathType`.
pub const PATH_TYPE_EXACT: &str = "Exact";
/// A value of `PathType`.
pub const PATH_TYPE_IMPLEMENTATION_SPECIFIC: &str = "ImplementationSpecific";
/// A value of `PathType`.
pub const PATH_TYPE_PREFIX: &str = "Prefix";
/// A value of `PolicyType`.
pub const POLICY_TYPE_EGRESS: &str = "Egress";
/// A value of `PolicyType`.
pub const POLICY_TYPE_INGRESS: &str = "Ingress";
