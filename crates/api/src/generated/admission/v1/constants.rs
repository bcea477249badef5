// Made by `cargo xtask codegen` from schema: change those, not this.
//! Constants.

/// A value of `Operation`.
pub const CONNECT: &str = "CONNECT";
/// A value of `Operation`.
pub const CREATE: &str = "CREATE";
/// A value of `Operation`.
pub const DELETE: &str = "DELETE";
/// A value of `Operation`.
pub const UPDATE: &str = "UPDATE";
/// A value of `PatchType`.
pub const PATCH_TYPE_JSON_PATCH: &str = "JSONPatch";
