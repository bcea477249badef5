//! The state of a decode: its depth, its options, and the pool for shared parts.

use std::fmt;
use std::sync::MutexGuard;

use super::{DecodeError, DecodeErrorKind};
use crate::collections::Handle;
use crate::pool::{PartType, Pool, Shelves, Wanted};
use crate::{Str, utf8};

/// A part of an object that a [`Pool`] can hold, as a decode sees it.
pub(super) trait DecodePart {
    /// The type of the part.
    fn part_type(&self) -> PartType;
    /// Shares the content of the handle, if it has the same type.
    fn share(&mut self, other: &Handle) -> bool;
    /// Returns a handle for the pool.
    fn handle(&self) -> Handle;
    /// Decodes it from its wire bytes, which consist of `count` records.
    fn decode(&mut self, bytes: &[u8], count: usize, cx: &mut Decoding) -> Result<(), DecodeError>;
}

/// The depth to which messages may nest in a decode.
///
/// Deep enough for any schema that an API server accepts, and shallow enough for the smallest stack of an async
/// worker.
pub const MAX_DEPTH: usize = 200;

/// The state of one decode, passed to every value in it.
///
/// ```
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// use client_rs_machinery::wire::{DecodeError, Decoding, Message};
///
/// let text = br#"{"metadata": {"name": "web", "managedFields": [{"manager": "kubectl"}]}}"#;
/// let stripped = PartialObjectMetadata::from_json_with(text, &mut Decoding::new().stripped())?;
/// assert_eq!(stripped.metadata.name, "web");
/// assert!(stripped.metadata.managed_fields.is_empty());
/// # Ok::<(), DecodeError>(())
/// ```
///
/// With a [`Pool`], it holds the pool's lock until it is dropped: create one per decode, and do not keep it.
#[derive(Default)]
pub struct Decoding<'p> {
    depth: usize,
    pool: Option<MutexGuard<'p, Shelves>>,
    /// With a pool: the hash of the object's identity, once the decode of an object has begun.
    object: Option<u64>,
    /// The number of the object's own field that is being decoded; 0 for a field that the pool does not keep.
    field: u32,
    /// Skips `metadata.managedFields`, which few controllers read and which often makes up a third of an object.
    /// Default: false.
    pub strip_managed_fields: bool,
}

impl<'p> Decoding<'p> {
    /// Creates a decode of all fields without a pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a decode of all fields that shares parts that the pool has seen before.
    pub fn with_pool(pool: &'p Pool) -> Self {
        Self { pool: Some(pool.open()), ..Self::default() }
    }

    /// Leaves out `metadata.managedFields`.
    #[must_use]
    pub fn stripped(mut self) -> Self {
        self.strip_managed_fields = true;
        self
    }

    /// Called when the decode of an object begins; `identity` is unique to the object, or empty if it is unknown.
    pub(crate) fn begin(&mut self, identity: &[u8]) {
        if let Some(pool) = &mut self.pool {
            pool.begin();
            self.object = (!identity.is_empty()).then(|| pool.key_of(identity));
        }
    }

    /// Called before a field of this name and number.
    #[inline]
    pub(super) fn enter(&mut self, name: &str, number: u32) {
        // Every write changes the metadata of an object, and its status rarely repeats.
        if self.depth == 1 && self.object.is_some() {
            self.field = if matches!(name, "metadata" | "status") { 0 } else { number };
        }
    }

    /// Whether there is a pool.
    pub(crate) fn is_pooled(&self) -> bool {
        self.pool.is_some()
    }

    /// Returns a text of the input as a string.
    #[inline]
    pub fn text(&mut self, text: &str) -> Str {
        match &mut self.pool {
            None => Str::new(text),
            Some(pool) => pool.text(text.as_bytes()).unwrap_or_default(),
        }
    }

    /// Returns bytes of the input as a string; an error if they are not UTF-8.
    #[inline]
    pub(crate) fn utf8(&mut self, bytes: &[u8]) -> Result<Str, DecodeError> {
        let text = match &mut self.pool {
            None => utf8::text(bytes).ok().map(Str::new),
            Some(pool) => pool.text(bytes),
        };
        text.ok_or_else(|| DecodeError::new(DecodeErrorKind::InvalidUtf8))
    }

    /// Decodes an empty part from its wire bytes, which consist of `count` records: shared if the pool has it.
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

    /// Returns the request to the pool; `None` without a pool, or if the part is too small to share.
    fn wanted<'a>(&self, part: &dyn DecodePart, bytes: &'a [u8]) -> Option<Wanted<'a>> {
        let hash = self.pool.as_ref()?.hash_of(bytes)?;
        let of = part.part_type();
        Some(Wanted { hash, key: self.key(), of, bytes, stripped: self.strip_managed_fields })
    }

    /// Returns the key of an object's own part: a field of the object itself, not of a nested value.
    fn key(&self) -> Option<u64> {
        // Odd, so that every field of an object has a different key.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let object = self.object.filter(|_| self.depth == 1 && self.field != 0)?;
        Some(object ^ u64::from(self.field).wrapping_mul(STEP))
    }

    /// Runs `inner` one level deeper; fails if the input nests too deep.
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
