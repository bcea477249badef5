//! Patches: the four kinds that an API server takes, made and applied.
//!
//! [`JsonPatch`], [`merge_patch`] and [`strategic`] each make a patch of two objects and apply one; a
//! [`Patch`] is what a request carries. Nothing here panics, or recurses or allocates without bound,
//! whatever a patch says.

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
