//! Patches: create and apply the four kinds that an API server accepts.
//!
//! | kind | made by | for |
//! |---|---|---|
//! | [`JsonPatch`] | [`JsonPatch::diff`], or a list of [`Operation`]s | single edits, with tests of the old value |
//! | JSON merge patch | [`merge_patch::diff`] | fields of any kind; the only merge for custom resources |
//! | strategic merge patch | [`strategic::two_way`] | built-in kinds: lists merge by key |
//! | server-side apply | [`Patch::apply`] | fields that the sender owns |
//!
//! A [`Patch`] is the body of a request. [`Patch::apply_to`] applies it locally, for tests and webhooks.
//!
//! ```
//! use client_rs_machinery::{json, patch::{Patch, merge_patch}};
//!
//! let before = json!({"spec": {"replicas": 1, "paused": true}});
//! let after = json!({"spec": {"replicas": 3}});
//! let patch = Patch::Merge(merge_patch::diff(&before, &after));
//! assert_eq!(patch.media_type(), "application/merge-patch+json");
//! assert_eq!(String::from_utf8(patch.body())?, r#"{"spec":{"paused":null,"replicas":3}}"#);
//! assert_eq!(patch.apply_to(&before, None)?, after);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here panics on a hostile patch, or recurses or allocates without bound.

mod body;
mod json_patch;
mod json_patch_apply;
mod json_patch_diff;
pub mod merge_patch;
mod pointer;
mod precondition;
pub mod strategic;
mod tree;

pub use body::{Patch, PatchError, PatchType};
pub use json_patch::{JsonPatch, JsonPatchError, JsonPatchErrorKind, Operation};
pub use merge_patch::MergePatchError;
pub use pointer::{Pointer, PointerError};
pub use precondition::{Precondition, PreconditionFailed};
pub use strategic::{StrategicError, StrategicErrorKind};
