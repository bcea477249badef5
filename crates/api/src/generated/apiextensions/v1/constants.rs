// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `ConditionStatus`.
pub const CONDITION_FALSE: &str = "False";
/// A value of `ConditionStatus`.
pub const CONDITION_TRUE: &str = "True";
/// A value of `ConditionStatus`.
pub const CONDITION_UNKNOWN: &str = "Unknown";
/// A value of `ConversionStrategyType`.
pub const NONE_CONVERTER: &str = "None";
/// A value of `ConversionStrategyType`.
pub const WEBHOOK_CONVERTER: &str = "Webhook";
/// A value of `CustomResourceDefinitionConditionType`.
pub const ESTABLISHED: &str = "Established";
/// A value of `CustomResourceDefinitionConditionType`.
pub const KUBERNETES_API_APPROVAL_POLICY_CONFORMANT: &str = "KubernetesAPIApprovalPolicyConformant";
/// A value of `CustomResourceDefinitionConditionType`.
pub const NAMES_ACCEPTED: &str = "NamesAccepted";
/// A value of `CustomResourceDefinitionConditionType`.
pub const NON_STRUCTURAL_SCHEMA: &str = "NonStructuralSchema";
/// A value of `CustomResourceDefinitionConditionType`.
pub const STORAGE_MIGRATING: &str = "StorageMigrating";
/// A value of `CustomResourceDefinitionConditionType`.
pub const TERMINATING: &str = "Terminating";
/// A value of `FieldValueErrorReason`.
pub const FIELD_VALUE_DUPLICATE: &str = "FieldValueDuplicate";
/// A value of `FieldValueErrorReason`.
pub const FIELD_VALUE_FORBIDDEN: &str = "FieldValueForbidden";
/// A value of `FieldValueErrorReason`.
pub const FIELD_VALUE_INVALID: &str = "FieldValueInvalid";
/// A value of `FieldValueErrorReason`.
pub const FIELD_VALUE_REQUIRED: &str = "FieldValueRequired";
/// A value of `ResourceScope`.
pub const CLUSTER_SCOPED: &str = "Cluster";
/// A value of `ResourceScope`.
pub const NAMESPACE_SCOPED: &str = "Namespaced";
