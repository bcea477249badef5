// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `ConditionStatus`.
pub const CONDITION_FALSE: &str = "False";
/// A value of `ConditionStatus`.
pub const CONDITION_TRUE: &str = "True";
/// A value of `ConditionStatus`.
pub const CONDITION_UNKNOWN: &str = "Unknown";
/// A value of `FlowDistinguisherMethodType`.
pub const FLOW_DISTINGUISHER_METHOD_BY_NAMESPACE_TYPE: &str = "ByNamespace";
/// A value of `FlowDistinguisherMethodType`.
pub const FLOW_DISTINGUISHER_METHOD_BY_USER_TYPE: &str = "ByUser";
/// A value of `LimitResponseType`.
pub const LIMIT_RESPONSE_TYPE_QUEUE: &str = "Queue";
/// A value of `LimitResponseType`.
pub const LIMIT_RESPONSE_TYPE_REJECT: &str = "Reject";
/// A value of `PriorityLevelEnablement`.
pub const PRIORITY_LEVEL_ENABLEMENT_EXEMPT: &str = "Exempt";
/// A value of `PriorityLevelEnablement`.
pub const PRIORITY_LEVEL_ENABLEMENT_LIMITED: &str = "Limited";
/// A value of `SubjectKind`.
pub const SUBJECT_KIND_GROUP: &str = "Group";
/// A value of `SubjectKind`.
pub const SUBJECT_KIND_SERVICE_ACCOUNT: &str = "ServiceAccount";
/// A value of `SubjectKind`.
pub const SUBJECT_KIND_USER: &str = "User";
