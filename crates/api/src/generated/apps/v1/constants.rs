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
/// A value of `PersistentVolumeClaimRetentionPolicyType`.
pub const DELETE_PERSISTENT_VOLUME_CLAIM_RETENTION_POLICY_TYPE: &str = "Delete";
/// A value of `PersistentVolumeClaimRetentionPolicyType`.
pub const RETAIN_PERSISTENT_VOLUME_CLAIM_RETENTION_POLICY_TYPE: &str = "Retain";
/// A value of `PodManagementPolicyType`.
pub const ORDERED_READY_POD_MANAGEMENT: &str = "OrderedReady";
/// A value of `PodManagementPolicyType`.
pub const PARALLEL_POD_MANAGEMENT: &str = "Parallel";
/// A value of `ReplicaSetConditionType`.
pub const REPLICA_SET_REPLICA_FAILURE: &str = "ReplicaFailure";
/// A value of `StatefulSetConditionType`.
pub const STATEFUL_SET_PROGRESSING: &str = "Progressing";
/// A value of `StatefulSetUpdateStrategyType`.
pub const ON_DELETE_STATEFUL_SET_STRATEGY_TYPE: &str = "OnDelete";
/// A value of `StatefulSetUpdateStrategyType`.
pub const RECREATE_STATEFUL_SET_STRATEGY_TYPE: &str = "Recreate";
/// A value of `StatefulSetUpdateStrategyType`.
pub const ROLLING_UPDATE_STATEFUL_SET_STRATEGY_TYPE: &str = "RollingUpdate";
