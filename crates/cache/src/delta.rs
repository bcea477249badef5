//! [`Delta`]: what travels from a reflector to a store.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::store::Stored;

/// One event of a collection, on its way from a reflector to a store.
///
/// A delta says what the server reported, not what it means for a store: `Added` of an object that the store has is an
/// update of it, and `Updated` of one that it has not is an addition.
pub enum Delta<K> {
    /// The watch says that the object came.
    Added(Arc<K>),
    /// The watch says that the object changed.
    Updated(Arc<K>),
    /// The object is gone.
    Deleted(Deleted<K>),
    /// A new list has the object. Only queues that compare lists with what they know send it.
    Replaced(Arc<K>),
    /// A new list: what is not in it is gone. It is applied as a whole.
    ReplacedAll(Box<Replacement<K>>),
    /// The object is handed out again, unchanged. Only queues that know the objects send it.
    Sync(Arc<K>),
    /// Every object of that part is handed out again, unchanged.
    SyncAll(Coverage),
    /// The server has a version of this object that did not decode or transform. The last good one stays, marked.
    Stale {
        /// The object.
        key: ObjectKey,
        /// The version that could not be read.
        resource_version: Str,
    },
    /// Nothing changed up to this version.
    Bookmark(Bookmark),
}

/// An object that is gone.
pub enum Deleted<K: ?Sized> {
    /// The watch reported it, with the last state.
    Object(Arc<K>),
    /// A list no longer had it.
    FinalStateUnknown(Tombstone<K>),
}

/// An object that vanished while nobody watched.
pub struct Tombstone<K: ?Sized> {
    /// The object.
    pub key: ObjectKey,
    /// Its last known state, perhaps an old one; nothing if it is not known.
    pub object: Option<Arc<K>>,
}

/// Everything that a part of a collection holds, at one version.
pub struct Replacement<K> {
    /// The part that was listed. What lies outside it is not touched.
    pub coverage: Coverage,
    /// The objects. Of two with the same key the later one counts.
    pub objects: Vec<Stored<K>>,
    /// Objects of which the server has a version that could not be read, with that version. They are not gone: what
    /// `objects` has of them, or else what the store has, stays as the last good state, marked as stale.
    pub stale: Vec<(ObjectKey, Str)>,
    /// The list's own version.
    pub resource_version: Str,
    /// Whether versions of this list may have been used before for other content, as after a restore of the server
    /// from a backup. If so, what the store has is never taken for what is listed; otherwise an object that it has
    /// at the listed version stays the very same.
    pub rewound: bool,
}

/// The version up to which nothing changed in a part of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The part that is watched.
    pub coverage: Coverage,
    /// The version.
    pub resource_version: Str,
}

/// What a list or watch covers. A cache fed by several reflectors, one a namespace, keeps them apart by this: one's
/// list never deletes another's objects, and each has a version of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coverage {
    /// Everything.
    #[default]
    All,
    /// One namespace.
    Namespace(Str),
}

/// Which notification a [`Delta`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum DeltaKind {
    Added,
    Updated,
    Deleted,
    Replaced,
    ReplacedAll,
    Sync,
    SyncAll,
    Stale,
    Bookmark,
}

impl<K> Delta<K> {
    /// Which notification it is.
    pub fn kind(&self) -> DeltaKind {
        match self {
            Self::Added(_) => DeltaKind::Added,
            Self::Updated(_) => DeltaKind::Updated,
            Self::Deleted(_) => DeltaKind::Deleted,
            Self::Replaced(_) => DeltaKind::Replaced,
            Self::ReplacedAll(_) => DeltaKind::ReplacedAll,
            Self::Sync(_) => DeltaKind::Sync,
            Self::SyncAll(_) => DeltaKind::SyncAll,
            Self::Stale { .. } => DeltaKind::Stale,
            Self::Bookmark(_) => DeltaKind::Bookmark,
        }
    }

    /// The object that it is about, if it is about one and its state is known.
    pub fn object(&self) -> Option<&Arc<K>> {
        match self {
            Self::Added(object) | Self::Updated(object) | Self::Replaced(object) | Self::Sync(object) => {
                Some(object)
            }
            Self::Deleted(deleted) => deleted.object(),
            Self::ReplacedAll(_) | Self::SyncAll(_) | Self::Stale { .. } | Self::Bookmark(_) => None,
        }
    }
}

impl<K: Object> Delta<K> {
    /// The key of the object that it is about, if it is about one.
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Self::Deleted(deleted) => Some(deleted.key()),
            Self::Stale { key, .. } => Some(key.clone()),
            other => other.object().map(|object| object.key()),
        }
    }
}

impl<K: ?Sized> Deleted<K> {
    /// The last known state.
    pub fn object(&self) -> Option<&Arc<K>> {
        match self {
            Self::Object(object) => Some(object),
            Self::FinalStateUnknown(tombstone) => tombstone.object.as_ref(),
        }
    }

    /// Whether a list only showed the object's absence: its last state may be older than its end.
    pub fn is_tombstone(&self) -> bool {
        matches!(self, Self::FinalStateUnknown(_))
    }
}

impl<K: Object + ?Sized> Deleted<K> {
    /// The key, also where the object is not known.
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Object(object) => object.key(),
            Self::FinalStateUnknown(tombstone) => tombstone.key.clone(),
        }
    }
}

impl<K> Replacement<K> {
    /// A whole collection.
    pub fn new(objects: Vec<Arc<K>>, resource_version: impl Into<Str>) -> Self {
        Self {
            coverage: Coverage::All,
            objects: objects.into_iter().map(Stored::from).collect(),
            stale: Vec::new(),
            resource_version: resource_version.into(),
            rewound: false,
        }
    }
}

impl Coverage {
    /// Whether objects of this namespace are in it.
    pub fn contains(&self, namespace: &str) -> bool {
        match self {
            Self::All => true,
            Self::Namespace(own) => own == namespace,
        }
    }

    /// The namespace, if it is one.
    pub fn namespace(&self) -> Option<&Str> {
        match self {
            Self::All => None,
            Self::Namespace(namespace) => Some(namespace),
        }
    }
}

impl Bookmark {
    /// Of a whole collection.
    pub fn new(resource_version: impl Into<Str>) -> Self {
        Self { coverage: Coverage::All, resource_version: resource_version.into() }
    }
}

// Derived, these would ask for `K: Clone` and `K: Debug`: only pointers are copied, only keys are shown.

impl<K> Clone for Delta<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added(object) => Self::Added(object.clone()),
            Self::Updated(object) => Self::Updated(object.clone()),
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
            Self::Replaced(object) => Self::Replaced(object.clone()),
            Self::ReplacedAll(replacement) => Self::ReplacedAll(replacement.clone()),
            Self::Sync(object) => Self::Sync(object.clone()),
            Self::SyncAll(coverage) => Self::SyncAll(coverage.clone()),
            Self::Stale { key, resource_version } => {
                Self::Stale { key: key.clone(), resource_version: resource_version.clone() }
            }
            Self::Bookmark(bookmark) => Self::Bookmark(bookmark.clone()),
        }
    }
}

impl<K: ?Sized> Clone for Deleted<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Object(object) => Self::Object(object.clone()),
            Self::FinalStateUnknown(tombstone) => Self::FinalStateUnknown(tombstone.clone()),
        }
    }
}

impl<K: ?Sized> Clone for Tombstone<K> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), object: self.object.clone() }
    }
}

impl<K> Clone for Replacement<K> {
    fn clone(&self) -> Self {
        Self {
            coverage: self.coverage.clone(),
            objects: self.objects.clone(),
            stale: self.stale.clone(),
            resource_version: self.resource_version.clone(),
            rewound: self.rewound,
        }
    }
}

impl<K: Object> fmt::Debug for Delta<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deleted(deleted) => write!(f, "Deleted({deleted:?})"),
            Self::ReplacedAll(replacement) => fmt::Debug::fmt(replacement, f),
            Self::SyncAll(coverage) => write!(f, "SyncAll({coverage:?})"),
            Self::Stale { key, resource_version } => write!(f, "Stale({key}@{resource_version})"),
            Self::Bookmark(bookmark) => write!(f, "Bookmark({})", bookmark.resource_version),
            Self::Added(object) | Self::Updated(object) | Self::Replaced(object) | Self::Sync(object) => {
                write!(f, "{:?}({}@{})", self.kind(), object.key(), object.resource_version())
            }
        }
    }
}

impl<K: Object + ?Sized> fmt::Debug for Deleted<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(object) => write!(f, "{}@{}", object.key(), object.resource_version()),
            Self::FinalStateUnknown(tombstone) => fmt::Debug::fmt(tombstone, f),
        }
    }
}

impl<K: Object + ?Sized> fmt::Debug for Tombstone<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.object.as_ref().map_or("?", |object| object.resource_version());
        write!(f, "tombstone {}@{version}", self.key)
    }
}

impl<K: Object> fmt::Debug for Replacement<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplacedAll({} objects@{})", self.objects.len(), self.resource_version)
    }
}
