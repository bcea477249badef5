//! Objects in their stored form: decoded or packed.

use std::fmt;
use std::hint::black_box;
use std::ops::Deref;
use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{Object, ObjectKey};

use super::packed::{Block, Enabled, Unpacker};

/// An object in its stored form, decoded or packed: a cheap handle, two words wide.
///
/// Key and version cost nothing; [`object`](Self::object) decodes if the object is packed.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// use std::sync::Arc;
/// use client_rs_cache::Stored;
///
/// let stored = Stored::from(Arc::new(pod("web", 5)));
/// assert_eq!(stored.to_string(), "default/web@5");
/// assert_eq!(stored.object().unwrap().metadata.name, "web");
/// ```
pub struct Stored<K>(Form<K>);

enum Form<K> {
    Decoded(Arc<K>),
    Packed(Block, Arc<Unpacker<K>>, Enabled),
}

/// An object of a snapshot. It dereferences to `Arc<K>`, and borrows it if the store keeps it decoded.
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// # use std::sync::Arc;
/// # use client_rs_cache::Indexer;
/// # let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 1))?;
/// let snapshot = indexer.snapshot();
/// let found = snapshot.find("default", "web").unwrap();
/// assert_eq!(found.metadata.name, "web");
/// let kept: Arc<PartialObjectMetadata> = found.into_arc();
/// drop(snapshot);
/// assert_eq!(kept.metadata.name, "web");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Found<'a, K>(Place<'a, K>);

enum Place<'a, K> {
    There(&'a Arc<K>),
    Unpacked(Arc<K>),
}

/// A borrowed object of a store.
pub(super) enum Held<'a, K> {
    Decoded(&'a Arc<K>),
    Packed(&'a Block, &'a Arc<Unpacker<K>>, Enabled),
}

impl<K: Object> Stored<K> {
    /// Returns the key.
    pub fn key(&self) -> ObjectKey {
        self.held().key()
    }

    /// Returns the version.
    pub fn resource_version(&self) -> &str {
        match &self.0 {
            Form::Decoded(object) => object.resource_version(),
            Form::Packed(block, ..) => block.resource_version(),
        }
    }

    /// Returns the object. A packed object is decoded each time. `None` if that fails: only a bug in the wire
    /// format of the type can cause it. It is logged and counted
    /// ([`Footprint::unpack_errors`](super::Footprint::unpack_errors)).
    pub fn object(&self) -> Option<Arc<K>> {
        self.held().object().map(Found::into_arc)
    }

    /// Returns whether the object has this UID. Decodes only the UID of a packed object.
    pub fn has_uid(&self, uid: &str) -> bool {
        self.held().has_uid(uid)
    }

    /// Returns whether both are the same allocation, not merely equal.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.held().ptr_eq(&other.held())
    }

    /// Returns the size of a packed object in bytes.
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

    /// Returns the object if it is stored decoded.
    pub(super) fn decoded(&self) -> Option<&Arc<K>> {
        match &self.0 {
            Form::Decoded(object) => Some(object),
            Form::Packed(..) => None,
        }
    }
}

impl<K> Found<'_, K> {
    /// Returns the object itself.
    pub fn into_arc(self) -> Arc<K> {
        match self.0 {
            Place::There(object) => object.clone(),
            Place::Unpacked(object) => object,
        }
    }
}

/// How many reference counts are fetched together.
const AHEAD: usize = 32;

/// Collects objects for the caller to keep; `expected` is about their number.
///
/// Raising a reference count waits for its cache line, and stalls everything behind it. So the lines of several
/// objects are fetched together, and then the counts are raised.
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
    /// Returns the reference count of a decoded object.
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

    /// Returns whether the object has this UID.
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

    /// Returns whether a selector matches the labels. Decodes only the labels.
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

    /// Returns whether the listed object is unchanged. The server makes the versions: an object with the same
    /// UID and version has the same content, unless the server was `rewound`. An object without a version is
    /// always new.
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

    /// Returns whether both have the same UID: the name may belong to another object now.
    fn is_same_object(&self, other: &Held<'_, K>) -> bool {
        match (self, other) {
            (Self::Decoded(known), Held::Decoded(listed)) => known.uid() == listed.uid(),
            (Self::Packed(known, unpacker, _), Held::Decoded(listed)) => {
                unpacker.has_uid(known, listed.uid())
            }
            (Self::Decoded(known), Held::Packed(listed, unpacker, _)) => {
                unpacker.has_uid(listed, known.uid())
            }
            // Repacked, as with a new dictionary.
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

/// Shows key and version.
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
