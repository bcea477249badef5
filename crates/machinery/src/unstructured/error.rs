//! Errors of an access to a nested field.

use std::fmt;

use crate::{Json, JsonType};

/// A value that is not a JSON object, and so can't be an [`Unstructured`](crate::Unstructured). It holds the value; its text
/// names only the value's type.
#[derive(Clone, Debug, PartialEq)]
pub struct NotAnObject(pub Json);

impl fmt::Display for NotAnObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object is a JSON object, and this is {}", self.0.json_type())
    }
}

impl std::error::Error for NotAnObject {}

/// A field has another type than requested, or a value on the path to it is not an object.
///
/// It names the path and the types, never a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedError {
    pub(super) path: String,
    pub(super) kind: NestedErrorKind,
}

/// The mistake in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NestedErrorKind {
    /// The value has another type.
    WrongType {
        /// The requested type.
        expected: JsonType,
        /// The type of the existing value.
        found: JsonType,
    },
    /// The path has no fields, or more than an object may nest.
    InvalidPath,
}

impl NestedError {
    pub(super) fn wrong_type<P: AsRef<str>>(path: &[P], expected: JsonType, found: JsonType) -> Self {
        Self { path: dotted(path), kind: NestedErrorKind::WrongType { expected, found } }
    }

    pub(super) fn invalid_path<P: AsRef<str>>(path: &[P]) -> Self {
        Self { path: dotted(path), kind: NestedErrorKind::InvalidPath }
    }

    /// Returns the path, such as `.spec.nodeName`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> NestedErrorKind {
        self.kind
    }
}

fn dotted<P: AsRef<str>>(path: &[P]) -> String {
    let mut dotted = String::new();
    for key in path.iter().take(crate::wire::MAX_DEPTH) {
        dotted.push('.');
        dotted.extend(key.as_ref().chars().take(64));
    }
    dotted
}

impl fmt::Display for NestedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            NestedErrorKind::WrongType { expected, found } => {
                write!(f, "{}: expected {expected}, found {found}", self.path)
            }
            NestedErrorKind::InvalidPath => {
                write!(f, "a path of a field has 1 to {} keys", crate::wire::MAX_DEPTH)
            }
        }
    }
}

impl std::error::Error for NestedError {}
