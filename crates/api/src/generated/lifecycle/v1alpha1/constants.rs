// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `EvictionRequestIntent`.
pub const EVICTION_REQUEST_INTENT_EVICTION: &str = "Eviction";
/// A value of `EvictionRequestIntent`.
pub const EVICTION_REQUEST_INTENT_WITHDRAWN: &str = "Withdrawn";
/// A value of `RequesterIntent`.
pub const REQUESTER_INTENT_EVICTION: &str = "Eviction";
/// A value of `RequesterIntent`.
pub const REQUESTER_INTENT_WITHDRAWN: &str = "Withdrawn";
/// A value of `ResponderStateType`.
pub const RESPONDER_STATE_ACTIVE: &str = "Active";
/// A value of `ResponderStateType`.
pub const RESPONDER_STATE_CANCELED: &str = "Canceled";
/// A value of `ResponderStateType`.
pub const RESPONDER_STATE_COMPLETED: &str = "Completed";
/// A value of `ResponderStateType`.
pub const RESPONDER_STATE_INACTIVE: &str = "Inactive";
/// A value of `ResponderStateType`.
pub const RESPONDER_STATE_INTERRUPTED: &str = "Interrupted";
