//! What a decode carries along: its depth, its options, what it may share.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::MutexGuard;

use super::{DecodeError, DecodeErrorKind};
use crate::Str;
use crate::pool::{Part, Pool, Shelves};

/// How deep messages may nest in a decode.
///
/// Deep enough for any schema that an API server accepts, and shallow enough for the smallest stack that
/// an async worker has.
pub const MAX_DEPTH: usize = 200;

/// The state of one decode, passed to every value in it.
///
/// With a [`Pool`], it holds the pool's lock until it is dropped: make one a decode, keep none.
#[derive(Default)]
pub struct Decoding<'p> {
    depth: usize,
    pool: Option<MutexGuard<'p, Shelves>>,
    /// Skip `metadata.managedFields`: bookkeeping of the server that few controllers read and that is often
    /// a third of an object. Off by default.
    pub strip_managed_fields: bool,
}

impl<'p> Decoding<'p> {
    /// Decodes everything, shares nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decodes everything, shares what the pool has seen before.
    pub fn with_pool(pool: &'p Pool) -> Self {
        Self { pool: Some(pool.open()), ..Self::default() }
    }

    /// Leaves out `metadata.managedFields`.
    #[must_use]
    pub fn stripped(mut self) -> Self {
        self.strip_managed_fields = true;
        self
    }

    /// A text of the input as a string.
    #[inline]
    pub fn text(&mut self, text: &str) -> Str {
        match &mut self.pool {
            None => Str::new(text),
            Some(pool) => pool.text(text),
        }
    }

    /// The part whose wire bytes these are: shared if the pool has it, else built by `decode`.
    pub(crate) fn part<T: Part + Clone>(
        &mut self,
        bytes: &[u8],
        decode: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let Some(hash) = self.pool.as_ref().and_then(|pool| pool.hash_of(bytes)) else { return decode(self) };
        if let Some(found) = self.find(hash, TypeId::of::<T>(), bytes).and_then(<dyn Any>::downcast_ref::<T>)
        {
            return Ok(found.clone());
        }
        let part = decode(self)?;
        if self.wants(hash) {
            self.keep(hash, Box::new(part.clone()));
        }
        Ok(part)
    }

    fn find(&mut self, hash: u64, of: TypeId, bytes: &[u8]) -> Option<&dyn Any> {
        self.pool.as_mut()?.find(hash, of, bytes)
    }

    fn wants(&mut self, hash: u64) -> bool {
        self.pool.as_mut().is_some_and(|pool| pool.wants(hash))
    }

    fn keep(&mut self, hash: u64, part: Box<dyn Part>) {
        if let Some(pool) = &mut self.pool {
            pool.keep(hash, part);
        }
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

impl fmt::Debug for Decoding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoding")
            .field("depth", &self.depth)
            .field("pooled", &self.pool.is_some())
            .field("strip_managed_fields", &self.strip_managed_fields)
            .finish()
    }
}
