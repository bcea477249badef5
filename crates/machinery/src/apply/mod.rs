//! The building blocks of apply configurations: the fields of an object that a field manager wants to own.
//!
//! A configuration is a JSON [`Document`] with typed setters. A field that was not set is absent from the document,
//! so the manager does not own it. The configurations of built-in kinds are generated. `#[derive(Apply)]` makes those
//! of custom kinds.

mod document;
mod metadata;
mod types;
mod value;

pub use document::{Document, Part};
pub use value::ApplyValue;

use crate::managed_fields::error::FieldsError;
use crate::wire::DecodeError;

/// A type that a field of an apply configuration may have.
///
/// A struct has its own configuration type, so that a caller can set some of its fields and leave out others. A value
/// that is owned as a whole (a scalar, an enum) is its own configuration. The configuration of a built-in message is
/// its document; a typed apply configuration converts into it with `into`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no apply configuration",
    label = "a configuration can't hold it",
    note = "derive it: `#[derive(Apply)]`; for a type of another crate say what stands on the wire: `#[schema(as = String)]`"
)]
pub trait Apply {
    /// The type that a setter takes.
    type Configuration: ApplyValue;
}

/// A configuration cannot be extracted from an object.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// Its managed fields can't be read.
    #[error(transparent)]
    Fields(#[from] FieldsError),
    /// It has no form as a document.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}
