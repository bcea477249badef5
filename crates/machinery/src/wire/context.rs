//! What a decode carries along: its depth and its options.

use super::{DecodeError, DecodeErrorKind};
use crate::Str;

/// How deep messages may nest in a decode.
///
/// Deep enough for any schema that an API server accepts, and shallow enough for the smallest stack that
/// an async worker has.
pub const MAX_DEPTH: usize = 200;

/// The state of one decode, passed to every value in it.
#[derive(Debug, Default)]
pub struct Decoding {
    depth: usize,
    /// Skip `metadata.managedFields`: bookkeeping of the server that few controllers read and that is often
    /// a third of an object. Off by default.
    pub strip_managed_fields: bool,
}

impl Decoding {
    /// Decodes everything, shares nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// A text of the input as a string.
    #[inline]
    pub fn text(&mut self, text: &str) -> Str {
        Str::from(text)
    }

    /// Runs `inner` one level deeper, or fails where the input nests too deep.
    #[inline]
    pub fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        if self.depth >= MAX_DEPTH {
            return Err(DecodeError::new(DecodeErrorKind::TooDeep));
        }
        self.depth += 1;
        let outcome = inner(self);
        self.depth -= 1;
        outcome
    }
}
