//! What an update of a store changed.

use std::fmt;

use client_rs_machinery::{Object, ObjectKey};

use super::stored::Stored;
use crate::Deleted;

/// One thing that an update of a store did.
///
/// For each key the changes of a store are a valid history: `Added` first, each `Updated` with the state before as `old`,
/// `Deleted` last. The deletion of an object that the store does not have is not a change.
///
/// Handlers get it as a [`Notification`](crate::Notification), made when their turn comes: until then packed objects
/// stay packed, so a handler that lags costs no more memory than a few words per change.
pub enum Change<K> {
    /// The store had no object of this key.
    Added {
        /// The object.
        object: Stored<K>,
        /// Whether it was there from the start, as far as the cache can tell. A store can't: it says false, and the
        /// informer sets this.
        is_initial: bool,
    },
    /// The store had another, or the same: a new list and a resync give an unchanged object again.
    Updated {
        /// What the store had.
        old: Stored<K>,
        /// What it has now.
        new: Stored<K>,
    },
    /// The store had the object and has it no more.
    Deleted(Deleted<K>),
    /// The same, seen by a list that no longer has the object: this is its last known state, perhaps an old one.
    Vanished(Stored<K>),
}

impl<K: Object> Change<K> {
    /// The key of the object.
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Vanished(object) => {
                object.key()
            }
            Self::Deleted(deleted) => deleted.key(),
        }
    }

    /// Whether both states of an update have the same version: a resync, or a list with nothing new for this object.
    pub fn is_same_version(&self) -> bool {
        match self {
            Self::Updated { old, new } => old.ptr_eq(new) || old.resource_version() == new.resource_version(),
            Self::Added { .. } | Self::Deleted(_) | Self::Vanished(_) => false,
        }
    }

    /// Whether an object is handed out again although nothing has changed. Versions do not show that: a server that was
    /// restored from a backup uses them again.
    pub fn is_resync(&self) -> bool {
        matches!(self, Self::Updated { old, new } if old.ptr_eq(new))
    }

    /// Whether it is an addition of an object that was there from the start.
    pub fn is_initial(&self) -> bool {
        matches!(self, Self::Added { is_initial: true, .. })
    }

    /// Says of an addition that its object was there from the start.
    pub(crate) fn set_initial(&mut self) {
        if let Self::Added { is_initial, .. } = self {
            *is_initial = true;
        }
    }

    /// Whether the store has the object no more.
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
