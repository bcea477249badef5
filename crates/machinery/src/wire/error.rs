//! Errors of decoding.

use std::fmt::{self, Write as _};

/// A failed decode: the mistake, the type and field in which it occurred, and its byte offset.
///
/// The message never contains input except field names, list indexes and map keys, so that the value of a secret
/// cannot reach a log.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    type_name: &'static str,
    /// Innermost first: pushed while the error travels outwards.
    path: Vec<Segment>,
    kind: DecodeErrorKind,
    offset: Option<usize>,
}

#[derive(Clone, PartialEq, Eq)]
enum Segment {
    Field(&'static str),
    Index(usize),
    Key(String),
}

/// The mistake in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends in the middle of a value.
    Truncated,
    /// Nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// A protobuf varint longer than ten bytes, a field number of 0, or a wire type that does not exist.
    Malformed(&'static str),
    /// The value has another type than the field.
    WrongType {
        /// The form that the field accepts.
        expected: &'static str,
        /// The form that the input has.
        found: &'static str,
    },
    /// The right type, but out of the field's range or malformed.
    Invalid(String),
    /// Bytes in the place of text that are not UTF-8.
    InvalidUtf8,
    /// The object names another kind.
    WrongKind {
        /// The expected kind, as `apiVersion, Kind`.
        expected: String,
        /// The kind in the input, as `apiVersion, Kind`.
        found: String,
    },
    /// Bytes after the end of the value.
    Trailing,
    /// One value of a stream is larger than the configured limit.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The content is compressed, or in an unknown format.
    UnsupportedEncoding(String),
}

impl DecodeError {
    /// Creates an error without a place.
    #[cold]
    pub fn new(kind: DecodeErrorKind) -> Self {
        Self(Box::new(Inner { type_name: "", path: Vec::new(), kind, offset: None }))
    }

    /// Creates an error for a malformed value; `reason` must not quote content.
    #[cold]
    pub fn invalid(reason: impl Into<String>) -> Self {
        Self::new(DecodeErrorKind::Invalid(reason.into()))
    }

    /// Creates an error for a value of another type.
    #[cold]
    pub fn wrong_type(expected: &'static str, found: &'static str) -> Self {
        Self::new(DecodeErrorKind::WrongType { expected, found })
    }

    /// Returns the mistake in the input.
    pub fn kind(&self) -> &DecodeErrorKind {
        &self.0.kind
    }

    /// Returns the name of the type whose decode failed; `""` for a type of another crate.
    pub fn type_name(&self) -> &'static str {
        self.0.type_name
    }

    /// Returns the byte at which the reader stopped, if it is known.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// Returns the path in the type, such as `spec.containers[2].image`; empty for the whole.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.0.path.iter().rev() {
            match segment {
                Segment::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                // A string takes every write.
                Segment::Index(index) => drop(write!(path, "[{index}]")),
                Segment::Key(key) => drop(write!(path, "[{key:?}]")),
            }
        }
        path
    }

    /// Places the error in a field.
    #[cold]
    #[must_use]
    pub fn in_field(mut self, name: &'static str) -> Self {
        self.0.path.push(Segment::Field(name));
        self
    }

    /// Places the error in a list's item.
    #[cold]
    #[must_use]
    pub fn in_index(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Index(index));
        self
    }

    /// Places the error in a map's entry.
    #[cold]
    #[must_use]
    pub fn in_key(mut self, key: &str) -> Self {
        // The key is shown, not the value; a hostile key is cut.
        self.0.path.push(Segment::Key(key.chars().take(64).collect()));
        self
    }

    /// Adds the type that was decoded; the outermost call wins.
    #[cold]
    #[must_use]
    pub fn in_type(mut self, name: &'static str) -> Self {
        self.0.type_name = name;
        self
    }

    /// Adds the byte at which the reader stopped; the innermost call wins.
    #[cold]
    #[must_use]
    pub fn at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Places the error of a part in the whole: adds `start` to its byte.
    #[cold]
    #[must_use]
    pub(crate) fn behind(mut self, start: usize) -> Self {
        self.0.offset = Some(start + self.0.offset.unwrap_or(0));
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match (self.0.type_name, path.as_str()) {
            ("", "") => f.write_str("can't decode: ")?,
            ("", path) => write!(f, "can't decode {path}: ")?,
            (name, "") => write!(f, "can't decode {name}: ")?,
            (name, path) => write!(f, "can't decode {name}.{path}: ")?,
        }
        match &self.0.kind {
            DecodeErrorKind::Truncated => f.write_str("the input ends in the middle of a value")?,
            DecodeErrorKind::TooDeep => write!(f, "nested deeper than {} levels", super::MAX_DEPTH)?,
            DecodeErrorKind::Malformed(what) => f.write_str(what)?,
            DecodeErrorKind::WrongType { expected, found } => {
                write!(f, "expected {expected}, found {found}")?;
            }
            DecodeErrorKind::Invalid(reason) => f.write_str(reason)?,
            DecodeErrorKind::InvalidUtf8 => f.write_str("text that is not UTF-8")?,
            DecodeErrorKind::WrongKind { expected, found } => {
                write!(f, "expected an object of kind {expected}, found {found}")?;
            }
            DecodeErrorKind::Trailing => f.write_str("more input after the end of the value")?,
            DecodeErrorKind::TooLarge { limit } => write!(f, "one value is larger than {limit} bytes")?,
            DecodeErrorKind::UnsupportedEncoding(found) => write!(f, "content encoded as {found:?}")?,
        }
        match self.0.offset {
            Some(offset) => write!(f, " (at byte {offset})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({self})")
    }
}

impl std::error::Error for DecodeError {}
