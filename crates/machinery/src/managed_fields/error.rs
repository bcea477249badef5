//! What can be wrong with a set of fields.

use thiserror::Error;

use crate::wire::DecodeError;

/// A `fieldsV1` that can't be read, or `managedFields` that are none.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum FieldsError {
    /// It is no JSON, or JSON that nests too deep.
    #[error("fieldsV1 is no JSON: {0}")]
    Json(DecodeError),
    /// A key that names no path.
    #[error("fieldsV1 has a key that is no path element: {0:?}")]
    Key(String),
    /// A value that is no object.
    #[error("fieldsV1 has {found} at {at:?}, where a set of fields is due")]
    Shape {
        /// The key whose value it is; empty at the top.
        at: String,
        /// What is there instead.
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
