// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `CauseType`.
pub const CAUSE_TYPE_FIELD_MANAGER_CONFLICT: &str = "FieldManagerConflict";
/// A value of `CauseType`.
pub const CAUSE_TYPE_FIELD_VALUE_DUPLICATE: &str = "FieldValueDuplicate";
/// A value of `CauseType`.
pub const CAUSE_TYPE_FIELD_VALUE_INVALID: &str = "FieldValueInvalid";
/// A value of `CauseType`.
pub const CAUSE_TYPE_FIELD_VALUE_NOT_FOUND: &str = "FieldValueNotFound";
/// A value of `CauseType`.
pub const CAUSE_TYPE_FIELD_VALUE_NOT_SUPPORTED: &str = "FieldValueNotSupported";
/// A value of `CauseType`.
pub const CAUSE_TYPE_FIELD_VALUE_REQUIRED: &str = "FieldValueRequired";
/// A value of `CauseType`.
pub const CAUSE_TYPE_FORBIDDEN: &str = "FieldValueForbidden";
/// A value of `CauseType`.
pub const CAUSE_TYPE_INTERNAL: &str = "InternalError";
/// A value of `CauseType`.
pub const CAUSE_TYPE_RESOURCE_VERSION_TOO_LARGE: &str = "ResourceVersionTooLarge";
/// A value of `CauseType`.
pub const CAUSE_TYPE_TOO_LONG: &str = "FieldValueTooLong";
/// A value of `CauseType`.
pub const CAUSE_TYPE_TOO_MANY: &str = "FieldValueTooMany";
/// A value of `CauseType`.
pub const CAUSE_TYPE_TYPE_INVALID: &str = "FieldValueTypeInvalid";
/// A value of `CauseType`.
pub const CAUSE_TYPE_UNEXPECTED_SERVER_RESPONSE: &str = "UnexpectedServerResponse";
/// A value of `ConditionStatus`.
pub const CONDITION_FALSE: &str = "False";
/// A value of `ConditionStatus`.
pub const CONDITION_TRUE: &str = "True";
/// A value of `ConditionStatus`.
pub const CONDITION_UNKNOWN: &str = "Unknown";
/// A value of `DeletionPropagation`.
pub const DELETE_PROPAGATION_BACKGROUND: &str = "Background";
/// A value of `DeletionPropagation`.
pub const DELETE_PROPAGATION_FOREGROUND: &str = "Foreground";
/// A value of `DeletionPropagation`.
pub const DELETE_PROPAGATION_ORPHAN: &str = "Orphan";
/// A value of `FieldSelectorOperator`.
pub const FIELD_SELECTOR_OP_DOES_NOT_EXIST: &str = "DoesNotExist";
/// A value of `FieldSelectorOperator`.
pub const FIELD_SELECTOR_OP_EXISTS: &str = "Exists";
/// A value of `FieldSelectorOperator`.
pub const FIELD_SELECTOR_OP_IN: &str = "In";
/// A value of `FieldSelectorOperator`.
pub const FIELD_SELECTOR_OP_NOT_IN: &str = "NotIn";
/// A value of `IncludeObjectPolicy`.
pub const INCLUDE_METADATA: &str = "Metadata";
/// A value of `IncludeObjectPolicy`.
pub const INCLUDE_NONE: &str = "None";
/// A value of `IncludeObjectPolicy`.
pub const INCLUDE_OBJECT: &str = "Object";
/// A value of `LabelSelectorOperator`.
pub const LABEL_SELECTOR_OP_DOES_NOT_EXIST: &str = "DoesNotExist";
/// A value of `LabelSelectorOperator`.
pub const LABEL_SELECTOR_OP_EXISTS: &str = "Exists";
/// A value of `LabelSelectorOperator`.
pub const LABEL_SELECTOR_OP_IN: &str = "In";
/// A value of `LabelSelectorOperator`.
pub const LABEL_SELECTOR_OP_NOT_IN: &str = "NotIn";
/// A value of `ManagedFieldsOperationType`.
pub const MANAGED_FIELDS_OPERATION_APPLY: &str = "Apply";
/// A value of `ManagedFieldsOperationType`.
pub const MANAGED_FIELDS_OPERATION_UPDATE: &str = "Update";
/// A value of `ResourceVersionMatch`.
pub const RESOURCE_VERSION_MATCH_EXACT: &str = "Exact";
/// A value of `ResourceVersionMatch`.
pub const RESOURCE_VERSION_MATCH_NOT_OLDER_THAN: &str = "NotOlderThan";
/// A value of `RowConditionType`.
pub const ROW_COMPLETED: &str = "Completed";
/// A value of `StatusReason`.
pub const STATUS_REASON_ALREADY_EXISTS: &str = "AlreadyExists";
/// A value of `StatusReason`.
pub const STATUS_REASON_BAD_REQUEST: &str = "BadRequest";
/// A value of `StatusReason`.
pub const STATUS_REASON_CONFLICT: &str = "Conflict";
/// A value of `StatusReason`.
pub const STATUS_REASON_EXPIRED: &str = "Expired";
/// A value of `StatusReason`.
pub const STATUS_REASON_FORBIDDEN: &str = "Forbidden";
/// A value of `StatusReason`.
pub const STATUS_REASON_GONE: &str = "Gone";
/// A value of `StatusReason`.
pub const STATUS_REASON_INTERNAL_ERROR: &str = "InternalError";
/// A value of `StatusReason`.
pub const STATUS_REASON_INVALID: &str = "Invalid";
/// A value of `StatusReason`.
pub const STATUS_REASON_METHOD_NOT_ALLOWED: &str = "MethodNotAllowed";
/// A value of `StatusReason`.
pub const STATUS_REASON_NOT_ACCEPTABLE: &str = "NotAcceptable";
/// A value of `StatusReason`.
pub const STATUS_REASON_NOT_FOUND: &str = "NotFound";
/// A value of `StatusReason`.
pub const STATUS_REASON_REQUEST_ENTITY_TOO_LARGE: &str = "RequestEntityTooLarge";
/// A value of `StatusReason`.
pub const STATUS_REASON_SERVER_TIMEOUT: &str = "ServerTimeout";
/// A value of `StatusReason`.
pub const STATUS_REASON_SERVICE_UNAVAILABLE: &str = "ServiceUnavailable";
/// A value of `StatusReason`.
pub const STATUS_REASON_STORE_READ_ERROR: &str = "StorageReadError";
/// A value of `StatusReason`.
pub const STATUS_REASON_TIMEOUT: &str = "Timeout";
/// A value of `StatusReason`.
pub const STATUS_REASON_TOO_MANY_REQUESTS: &str = "TooManyRequests";
/// A value of `StatusReason`.
pub const STATUS_REASON_UNAUTHORIZED: &str = "Unauthorized";
/// A value of `StatusReason`.
pub const STATUS_REASON_UNKNOWN: &str = "";
/// A value of `StatusReason`.
pub const STATUS_REASON_UNSUPPORTED_MEDIA_TYPE: &str = "UnsupportedMediaType";
