//! What apply configurations are made of: the fields of an object that somebody wants to own.
//!
//! A configuration is a JSON [`Document`] under typed setters: what was not set is not there, and is not owned. Those of the
//! built-in kinds are generated, those of custom kinds made by `#[derive(Apply)]`.

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
/// A struct has a configuration of its own, so that some of its fields can be set and others not. What is owned as one
/// (a scalar, an enum) is its own configuration; a built-in message has its document, which an apply configuration of it
/// becomes by `into`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no apply configuration",
    label = "a configuration can't hold it",
    note = "derive it: `#[derive(Apply)]`; for a type of another crate say what stands on the wire: `#[schema(as = String)]`"
)]
pub trait Apply {
    /// What a setter takes.
    type Configuration: ApplyValue;
}

/// Why no configuration could be taken from an object.
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
