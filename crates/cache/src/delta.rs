//! [`Delta`]: an event on its way from a reflector to a store.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};

use crate::store::Stored;

/// One event of a collection, on its way from a reflector to a store.
///
/// A delta is the report of the server, not its effect on a store: `Added` of an object that the store already
/// has is an update, and `Updated` of an object that it does not have is an addition. Handlers get
/// [`Notification`](crate::Notification)s instead, which are the effects.
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
/// use client_rs_cache::{Change, Delta, Indexer};
///
/// let (mut writer, _indexer) = Indexer::new();
/// let deltas = [Delta::Added(Arc::new(pod("web", 1))), Delta::Added(Arc::new(pod("web", 2)))];
/// let changes = writer.apply(deltas);
/// assert!(matches!(changes[..], [Change::Added { .. }, Change::Updated { .. }]));
/// ```
pub enum Delta<K> {
    /// The watch reported a new object.
    Added(Arc<K>),
    /// The watch reported a change of the object.
    Updated(Arc<K>),
    /// The object was deleted.
    Deleted(Deleted<K>),
    /// A new list contains the object. Only queues with [known objects](crate::KnownObjects) send it.
    Replaced(Arc<K>),
    /// A new list: objects that are missing in it are deleted. It is applied as a whole.
    ReplacedAll(Box<Replacement<K>>),
    /// The object is handed out again, unchanged. Only queues with [known objects](crate::KnownObjects) send it.
    Sync(Arc<K>),
    /// Every object of this part is handed out again, unchanged.
    SyncAll(Coverage),
    /// The server has a version of this object that could not be decoded or transformed. The last good version stays, marked as stale.
    Stale {
        /// The object.
        key: ObjectKey,
        /// The version that could not be read.
        resource_version: Str,
    },
    /// Nothing changed up to this version.
    Bookmark(Bookmark),
}

/// A deleted object.
///
/// Usually the watch reports the deletion with the last state. If the object was deleted while no watch was
/// open, only its absence from the next list shows it; then the last known state may be old, or missing.
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
/// use client_rs_cache::{Deleted, Tombstone};
/// use client_rs_machinery::ObjectKey;
///
/// let seen = Deleted::Object(Arc::new(pod("web", 3)));
/// assert!(!seen.is_tombstone());
///
/// let key = ObjectKey::new("default", "web");
/// let missed: Deleted<PartialObjectMetadata> = Deleted::FinalStateUnknown(Tombstone::new(key, None));
/// assert!(missed.is_tombstone() && missed.object().is_none());
/// assert_eq!(missed.key(), seen.key(), "the key is always known");
/// ```
pub enum Deleted<K: ?Sized> {
    /// The watch reported the deletion, with the last state.
    Object(Arc<K>),
    /// A list no longer contains the object.
    FinalStateUnknown(Tombstone<K>),
}

/// An object that was deleted while no watch was open, or whose last state could not be read.
pub struct Tombstone<K: ?Sized> {
    /// The object.
    pub key: ObjectKey,
    /// The last known state, which may be old; `None` if there is none.
    pub object: Option<Arc<K>>,
    /// The version of the deletion; empty if only the absence from a list shows it.
    pub resource_version: Str,
}

impl<K: ?Sized> Tombstone<K> {
    /// Makes the tombstone of an object that is missing in a list.
    pub fn new(key: ObjectKey, object: Option<Arc<K>>) -> Self {
        Self { key, object, resource_version: Str::EMPTY }
    }
}

/// All objects of a part of a collection, at one version: the result of a list.
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
/// use client_rs_cache::{Indexer, Replacement};
///
/// let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("old", 1))?;
/// let changes = writer.replace(Replacement::new(vec![Arc::new(pod("web", 2))], "3"));
/// assert!(changes[0].is_deletion(), "`old` is not in the list");
/// assert_eq!((indexer.len(), indexer.resource_version().as_str()), (1, "3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Replacement<K> {
    /// The part that was listed. Objects outside it are not affected.
    pub coverage: Coverage,
    /// The objects. If two have the same key, the later one counts.
    pub objects: Vec<Stored<K>>,
    /// Objects whose newest version could not be read, with that version. They are not deleted: the state in
    /// `objects`, or else in the store, stays as the last good one, marked as stale.
    pub stale: Vec<(ObjectKey, Str)>,
    /// The version of the list.
    pub resource_version: Str,
    /// Whether versions of this list may have been used before for other content, as after a restore of the
    /// server from a backup. If so, every listed object replaces the stored one; otherwise the store keeps an
    /// object that it already has at the listed version.
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

/// The part of a collection that a list or watch covers.
///
/// A cache may have several reflectors, one per namespace. This keeps them apart: a list of one part never
/// deletes objects of another, and each part has a version of its own.
///
///
/// ```
/// use client_rs_cache::Coverage;
///
/// let shop = Coverage::Namespace("shop".into());
/// assert!(shop.contains("shop") && !shop.contains("billing"));
/// assert!(Coverage::All.contains("billing"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Coverage {
    /// Everything.
    #[default]
    All,
    /// One namespace.
    Namespace(Str),
}

/// The kind of a [`Delta`].
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
    /// Returns the kind.
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

    /// Returns the object, if the delta concerns one object and its state is known.
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
    /// Returns the key, if the delta concerns one object.
    pub fn key(&self) -> Option<ObjectKey> {
        match self {
            Self::Deleted(deleted) => Some(deleted.key()),
            Self::Stale { key, .. } => Some(key.clone()),
            other => other.object().map(|object| object.key()),
        }
    }
}

impl<K: ?Sized> Deleted<K> {
    /// Returns the last known state.
    pub fn object(&self) -> Option<&Arc<K>> {
        match self {
            Self::Object(object) => Some(object),
            Self::FinalStateUnknown(tombstone) => tombstone.object.as_ref(),
        }
    }

    /// Returns whether only the absence from a list showed the deletion: the last known state may be old.
    pub fn is_tombstone(&self) -> bool {
        matches!(self, Self::FinalStateUnknown(_))
    }
}

impl<K: Object + ?Sized> Deleted<K> {
    /// Returns the key, also if the object is not known.
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Object(object) => object.key(),
            Self::FinalStateUnknown(tombstone) => tombstone.key.clone(),
        }
    }
}

impl<K> Replacement<K> {
    /// Makes the list of a whole collection.
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
    /// Returns whether it contains objects of this namespace.
    pub fn contains(&self, namespace: &str) -> bool {
        match self {
            Self::All => true,
            Self::Namespace(own) => own == namespace,
        }
    }

    /// Returns the namespace, if it is one.
    pub fn namespace(&self) -> Option<&Str> {
        match self {
            Self::All => None,
            Self::Namespace(namespace) => Some(namespace),
        }
    }
}

impl Bookmark {
    /// Makes the bookmark of a whole collection.
    pub fn new(resource_version: impl Into<Str>) -> Self {
        Self { coverage: Coverage::All, resource_version: resource_version.into() }
    }
}

// Derived implementations would require `K: Clone` and `K: Debug`. These copy only pointers and show only keys.

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
        let (key, resource_version) = (self.key.clone(), self.resource_version.clone());
        Self { key, object: self.object.clone(), resource_version }
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
