//! Errors of sets of fields.

use thiserror::Error;

use crate::wire::DecodeError;

/// A malformed `fieldsV1` or `managedFields`.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum FieldsError {
    /// The text is not JSON, or nests too deep.
    #[error("fieldsV1 is no JSON: {0}")]
    Json(DecodeError),
    /// A key that names no path.
    #[error("fieldsV1 has a key that is not a path element: {0:?}")]
    Key(String),
    /// A value that is not an object.
    #[error("fieldsV1 has {found} at {at:?}, where a set of fields is due")]
    Shape {
        /// The key whose value it is; empty at the top.
        at: String,
        /// The type of the value found.
        found: crate::JsonType,
    },
    /// `metadata.managedFields` is no list of entries.
    #[error("managedFields is no list of entries")]
    Entries,
}

// Not a source: the text has it.
impl From<DecodeError> for FieldsError {
    fn from(error: DecodeError) -> Self {
        Self::Json(error)
    }
}
