//! Objects as a store has them: decoded or packed.

use std::fmt;
use std::hint::black_box;
use std::ops::Deref;
use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Object, ObjectKey};

use super::packed::{Block, Enabled, Unpacker};

/// An object as a store has it, decoded or packed: a cheap handle, two words wide.
///
/// Key and version cost nothing; [`object`](Self::object) decodes if the object is packed.
pub struct Stored<K>(Form<K>);

enum Form<K> {
    Decoded(Arc<K>),
    Packed(Block, Arc<Unpacker<K>>, Enabled),
}

/// An object of a snapshot: it reads as `Arc<K>`, and is borrowed where the store keeps it decoded.
pub struct Found<'a, K>(Place<'a, K>);

enum Place<'a, K> {
    There(&'a Arc<K>),
    Unpacked(Arc<K>),
}

/// An object in its place in a store.
pub(super) enum Held<'a, K> {
    Decoded(&'a Arc<K>),
    Packed(&'a Block, &'a Arc<Unpacker<K>>, Enabled),
}

impl<K: Object> Stored<K> {
    /// The key.
    pub fn key(&self) -> ObjectKey {
        self.held().key()
    }

    /// The version.
    pub fn resource_version(&self) -> &str {
        match &self.0 {
            Form::Decoded(object) => object.resource_version(),
            Form::Packed(block, ..) => block.resource_version(),
        }
    }

    /// The object. A packed one is decoded, each time. Nothing if that fails, which only a mistake in the type's wire format
    /// can cause: it is logged and counted ([`Footprint::unpack_errors`](super::Footprint::unpack_errors)).
    pub fn object(&self) -> Option<Arc<K>> {
        self.held().object().map(Found::into_arc)
    }

    /// Whether this is its UID. Of a packed object no more than that is decoded.
    pub fn has_uid(&self, uid: &str) -> bool {
        self.held().has_uid(uid)
    }

    /// Whether both are one and the same, and not merely equal.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.held().ptr_eq(&other.held())
    }

    /// Bytes of a packed object.
    #[cfg(test)]
    pub(super) fn packed_size(&self) -> usize {
        match &self.0 {
            Form::Decoded(_) => 0,
            Form::Packed(block, ..) => block.heap_size(),
        }
    }

    pub(super) fn held(&self) -> Held<'_, K> {
        match &self.0 {
            Form::Decoded(object) => Held::Decoded(object),
            Form::Packed(block, unpacker, enabled) => Held::Packed(block, unpacker, *enabled),
        }
    }

    pub(super) fn packed(block: Block, unpacker: Arc<Unpacker<K>>) -> Self {
        let enabled = unpacker.enabled();
        Self(Form::Packed(block, unpacker, enabled))
    }

    /// The object, if it need not be decoded.
    pub(super) fn decoded(&self) -> Option<&Arc<K>> {
        match &self.0 {
            Form::Decoded(object) => Some(object),
            Form::Packed(..) => None,
        }
    }
}

impl<K> Found<'_, K> {
    /// The object itself.
    pub fn into_arc(self) -> Arc<K> {
        match self.0 {
            Place::There(object) => object.clone(),
            Place::Unpacked(object) => object,
        }
    }
}

/// How many counts are asked for together.
const AHEAD: usize = 32;

/// The objects that were found, for the caller to keep; about so many.
///
/// Raising a count waits for its line of memory, and lets nothing that follows begin. So the lines of some are asked for
/// together, and raised then.
pub(super) fn kept<'a, K: Object>(
    mut found: impl Iterator<Item = Held<'a, K>>,
    expected: usize,
) -> Vec<Arc<K>> {
    let mut objects = Vec::with_capacity(expected);
    let mut some = Vec::with_capacity(expected.min(AHEAD));
    loop {
        some.extend(found.by_ref().take(AHEAD));
        if some.is_empty() {
            return objects;
        }
        black_box(some.iter().map(Held::holders).fold(0, |sum, holders| sum ^ holders));
        objects.extend(some.drain(..).filter_map(|held| held.object()).map(Found::into_arc));
    }
}

impl<'a, K: Object> Held<'a, K> {
    /// How many hold the decoded object.
    #[inline]
    fn holders(&self) -> usize {
        match self {
            Self::Decoded(object) => Arc::strong_count(object),
            Self::Packed(..) => 0,
        }
    }

    pub(super) fn key(&self) -> ObjectKey {
        match self {
            Self::Decoded(object) => object.key(),
            Self::Packed(block, ..) => block.key(),
        }
    }

    pub(super) fn namespace(&self) -> &str {
        match self {
            Self::Decoded(object) => object.namespace(),
            Self::Packed(block, ..) => block.namespace(),
        }
    }

    pub(super) fn resource_version(&self) -> &str {
        match self {
            Self::Decoded(object) => object.resource_version(),
            Self::Packed(block, ..) => block.resource_version(),
        }
    }

    /// Whether this is its UID.
    pub(super) fn has_uid(&self, uid: &str) -> bool {
        match self {
            Self::Decoded(object) => object.uid() == uid,
            Self::Packed(block, unpacker, _) => unpacker.has_uid(block, uid),
        }
    }

    /// Decodes a packed object.
    pub(super) fn object(&self) -> Option<Found<'a, K>> {
        match self {
            Self::Decoded(object) => Some(Found(Place::There(object))),
            Self::Packed(block, unpacker, _) => {
                unpacker.object(block).map(|object| Found(Place::Unpacked(object)))
            }
        }
    }

    pub(super) fn to_stored(&self) -> Stored<K> {
        Stored(match self {
            Self::Decoded(object) => Form::Decoded(Arc::clone(object)),
            Self::Packed(block, unpacker, enabled) => {
                Form::Packed((*block).clone(), Arc::clone(unpacker), *enabled)
            }
        })
    }

    /// Whether a selector matches the labels; nothing but these is decoded.
    pub(super) fn matches(&self, selector: &Selector) -> bool {
        match self {
            Self::Decoded(object) => selector.matches(object.meta()),
            Self::Packed(block, unpacker, _) => unpacker.matches(block, selector),
        }
    }

    fn ptr_eq(&self, other: &Held<'_, K>) -> bool {
        match (self, other) {
            (Self::Decoded(a), Held::Decoded(b)) => Arc::ptr_eq(a, b),
            (Self::Packed(a, ..), Held::Packed(b, ..)) => a.ptr_eq(b),
            _ => false,
        }
    }

    /// Versions are the server's: the same one of the same object has the same content, unless the server was `rewound`.
    /// An object without one is always new.
    pub(super) fn is_unchanged(&self, listed: &Stored<K>, rewound: bool) -> bool {
        let other = listed.held();
        if self.ptr_eq(&other) {
            return true;
        }
        if rewound {
            return false;
        }
        let version = other.resource_version();
        if version.is_empty() || self.resource_version() != version {
            return false;
        }
        self.is_same_object(&other)
    }

    /// Whether both have one UID: another object may have come under the same name.
    fn is_same_object(&self, other: &Held<'_, K>) -> bool {
        match (self, other) {
            (Self::Decoded(known), Held::Decoded(listed)) => known.uid() == listed.uid(),
            (Self::Packed(known, unpacker, _), Held::Decoded(listed)) => {
                unpacker.has_uid(known, listed.uid())
            }
            (Self::Decoded(known), Held::Packed(listed, unpacker, _)) => {
                unpacker.has_uid(listed, known.uid())
            }
            // Packed again, as when there is a new dictionary.
            (Self::Packed(known, unpacker, _), Held::Packed(listed, others, _)) => {
                others.uid(listed).is_some_and(|uid| unpacker.has_uid(known, &uid))
            }
        }
    }
}

impl<K> From<Arc<K>> for Stored<K> {
    fn from(object: Arc<K>) -> Self {
        Self(Form::Decoded(object))
    }
}

impl<K> Clone for Stored<K> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Form::Decoded(object) => Form::Decoded(object.clone()),
            Form::Packed(block, unpacker, enabled) => Form::Packed(block.clone(), unpacker.clone(), *enabled),
        })
    }
}

/// Key and version.
impl<K: Object> fmt::Display for Stored<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.key(), self.resource_version())
    }
}

impl<K> fmt::Debug for Stored<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Form::Decoded(_) => "Stored(decoded)",
            Form::Packed(..) => "Stored(packed)",
        })
    }
}

impl<K> Deref for Found<'_, K> {
    type Target = Arc<K>;

    fn deref(&self) -> &Arc<K> {
        match &self.0 {
            Place::There(object) => object,
            Place::Unpacked(object) => object,
        }
    }
}

impl<K: Object> fmt::Debug for Found<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.key(), self.resource_version())
    }
}
