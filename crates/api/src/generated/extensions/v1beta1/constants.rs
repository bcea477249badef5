// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `DaemonSetUpdateStrategyType`.
pub const ON_DELETE_DAEMON_SET_STRATEGY_TYPE: &str = "OnDelete";
/// A value of `DaemonSetUpdateStrategyType`.
pub const ROLLING_UPDATE_DAEMON_SET_STRATEGY_TYPE: &str = "RollingUpdate";
/// A value of `DeploymentConditionType`.
pub const DEPLOYMENT_AVAILABLE: &str = "Available";
/// A value of `DeploymentConditionType`.
pub const DEPLOYMENT_PROGRESSING: &str = "Progressing";
/// A value of `DeploymentConditionType`.
pub const DEPLOYMENT_REPLICA_FAILURE: &str = "ReplicaFailure";
/// A value of `DeploymentStrategyType`.
pub const RECREATE_DEPLOYMENT_STRATEGY_TYPE: &str = "Recreate";
/// A value of `DeploymentStrategyType`.
pub const ROLLING_UPDATE_DEPLOYMENT_STRATEGY_TYPE: &str = "RollingUpdate";
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
/// A value of `ReplicaSetConditionType`.
pub const REPLICA_SET_REPLICA_FAILURE: &str = "ReplicaFailure";
