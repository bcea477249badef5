//! What a decode carries along: its depth, its options, what it may share.

use std::fmt;
use std::sync::MutexGuard;

use super::{DecodeError, DecodeErrorKind};
use crate::collections::Handle;
use crate::pool::{PartType, Pool, Shelves, Wanted};
use crate::{Str, utf8};

/// A part of an object that a [`Pool`] can hold, as a decode sees it.
pub(super) trait DecodePart {
    /// What it is.
    fn part_type(&self) -> PartType;
    /// Shares another's content, if that is of the same type.
    fn share(&mut self, other: &Handle) -> bool;
    /// A handle of the pool's own.
    fn handle(&self) -> Handle;
    /// Decodes it from its wire bytes, of so many records.
    fn decode(&mut self, bytes: &[u8], count: usize, cx: &mut Decoding) -> Result<(), DecodeError>;
}

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
    /// With a pool: the hash of the object's identity, once the decode of one has begun.
    object: Option<u64>,
    /// The number of the object's own field that is being decoded; 0 for one that is not worth keeping.
    field: u32,
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

    /// The decode of an object begins; `identity` tells it from all others, and is empty where nothing does.
    pub(crate) fn begin(&mut self, identity: &[u8]) {
        if let Some(pool) = &mut self.pool {
            pool.begin();
            self.object = (!identity.is_empty()).then(|| pool.key_of(identity));
        }
    }

    /// A field of this name and number is next.
    #[inline]
    pub(super) fn enter(&mut self, name: &str, number: u32) {
        // Every write changes an object's metadata, and its status was rarely what it will be.
        if self.depth == 1 && self.object.is_some() {
            self.field = if matches!(name, "metadata" | "status") { 0 } else { number };
        }
    }

    /// Whether there is a pool.
    pub(crate) fn is_pooled(&self) -> bool {
        self.pool.is_some()
    }

    /// A text of the input as a string.
    #[inline]
    pub fn text(&mut self, text: &str) -> Str {
        match &mut self.pool {
            None => Str::new(text),
            Some(pool) => pool.text(text.as_bytes()).unwrap_or_default(),
        }
    }

    /// Bytes of the input as a string; an error where they are not UTF-8.
    #[inline]
    pub(crate) fn utf8(&mut self, bytes: &[u8]) -> Result<Str, DecodeError> {
        let text = match &mut self.pool {
            None => utf8::text(bytes).ok().map(Str::new),
            Some(pool) => pool.text(bytes),
        };
        text.ok_or_else(|| DecodeError::new(DecodeErrorKind::InvalidUtf8))
    }

    /// Makes an empty part that whose wire bytes, of so many records, these are: shared if the pool has it.
    pub(super) fn part(
        &mut self,
        part: &mut dyn DecodePart,
        bytes: &[u8],
        count: usize,
    ) -> Result<(), DecodeError> {
        let Some(wanted) = self.wanted(&*part, bytes) else {
            return part.decode(bytes, count, self);
        };
        if self.pool.as_mut().and_then(|pool| pool.find(&wanted)).is_some_and(|found| part.share(found)) {
            return Ok(());
        }
        part.decode(bytes, count, self)?;
        if let Some(pool) = &mut self.pool
            && let Some(place) = pool.place(&wanted)
        {
            pool.keep(place, &wanted, part.handle());
        }
        Ok(())
    }

    /// What to ask the pool for; `None` without one, or where a part is not worth it.
    fn wanted<'a>(&self, part: &dyn DecodePart, bytes: &'a [u8]) -> Option<Wanted<'a>> {
        let hash = self.pool.as_ref()?.hash_of(bytes)?;
        let of = part.part_type();
        Some(Wanted { hash, key: self.key(), of, bytes, stripped: self.strip_managed_fields })
    }

    /// The key of an object's own part: of a field of the object itself, not of what is inside one.
    fn key(&self) -> Option<u64> {
        // Odd, so that every field of an object has another key.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let object = self.object.filter(|_| self.depth == 1 && self.field != 0)?;
        Some(object ^ u64::from(self.field).wrapping_mul(STEP))
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
