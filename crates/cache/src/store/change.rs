//! [`Change`]: the effect of a write on a store.

use std::fmt;

use client_rs_machinery::{Object, ObjectKey};

use super::stored::Stored;
use crate::Deleted;

/// One effect of a write on a store.
///
/// For each key the changes of a store are a valid history: `Added` first, each `Updated` with the state before
/// it as `old`, `Deleted` last. The deletion of an object that the store does not have is not a change.
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
/// use client_rs_cache::{Change, Indexer};
///
/// let (mut writer, _indexer) = Indexer::new();
/// assert!(matches!(writer.add(pod("web", 1))?, Change::Added { .. }));
/// let change = writer.add(pod("web", 2))?;
/// assert_eq!(format!("{change:?}"), "Updated(default/web@1→2)");
/// assert!(!change.is_same_version() && !change.is_deletion());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Handlers get it as a [`Notification`](crate::Notification), which is made when it is delivered. Until then
/// packed objects stay packed, so a handler that lags costs only a few words of memory per change.
pub enum Change<K> {
    /// The store had no object of this key.
    Added {
        /// The object.
        object: Stored<K>,
        /// Whether the object existed from the start, as far as the cache can determine. The store always sets
        /// false; the informer sets true.
        is_initial: bool,
    },
    /// The store had the object in another state, or in the same: a relist and a resync replay unchanged objects.
    Updated {
        /// The state before.
        old: Stored<K>,
        /// The state now.
        new: Stored<K>,
    },
    /// The object was removed from the store.
    Deleted(Deleted<K>),
    /// The object was removed because a list no longer contains it. This is the last known state, which may be old.
    Vanished(Stored<K>),
}

impl<K: Object> Change<K> {
    /// Returns the key of the object.
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Vanished(object) => {
                object.key()
            }
            Self::Deleted(deleted) => deleted.key(),
        }
    }

    /// Returns whether both states of an update have the same version: a resync, or a relist without a change.
    pub fn is_same_version(&self) -> bool {
        match self {
            Self::Updated { old, new } => old.ptr_eq(new) || old.resource_version() == new.resource_version(),
            Self::Added { .. } | Self::Deleted(_) | Self::Vanished(_) => false,
        }
    }

    /// Returns whether an object is handed out again unchanged. It does not compare versions: a server that was
    /// restored from a backup reuses them.
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { old, new } if old.ptr_eq(new))
    }

    /// Returns whether it is the addition of an object that existed from the start.
    pub fn is_initial(&self) -> bool {
        matches!(self, Self::Added { is_initial: true, .. })
    }

    /// Marks an addition as one of an object that existed from the start.
    pub(crate) fn set_initial(&mut self) {
        if let Self::Added { is_initial, .. } = self {
            *is_initial = true;
        }
    }

    /// Returns whether the object was removed from the store.
    pub fn is_deletion(&self) -> bool {
        matches!(self, Self::Deleted(_) | Self::Vanished(_))
    }
}

impl<K> Clone for Change<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { object, is_initial } => {
                Self::Added { object: object.clone(), is_initial: *is_initial }
            }
            Self::Updated { old, new } => Self::Updated { old: old.clone(), new: new.clone() },
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
            Self::Vanished(last) => Self::Vanished(last.clone()),
        }
    }
}

impl<K: Object> fmt::Debug for Change<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { object, is_initial } => {
                let initial = if *is_initial { ", initial" } else { "" };
                write!(f, "Added({object}{initial})")
            }
            Self::Updated { old, new } => write!(f, "Updated({old}→{})", new.resource_version()),
            Self::Deleted(deleted) => write!(f, "Deleted({deleted:?})"),
            Self::Vanished(last) => write!(f, "Deleted(tombstone {last})"),
        }
    }
}
