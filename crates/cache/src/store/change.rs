//! What an update of a store changed.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use super::stored::Stored;
use crate::Deleted;

/// One thing that an update of a store did: what handlers are told.
///
/// For each key the changes of a store are a valid history: `Added` first, each `Updated` with the state before as `old`,
/// `Deleted` last. The deletion of an object that the store has not is no change.
pub enum Change<K> {
    /// The store had no object of this key.
    Added(Arc<K>),
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
            Self::Added(new) => new.key(),
            Self::Updated { new, .. } => new.key(),
            Self::Deleted(deleted) => deleted.key(),
            Self::Vanished(last) => last.key(),
        }
    }

    /// Whether both states of an update have the same version: a resync, or a list with nothing new for this object.
    pub fn is_same_version(&self) -> bool {
        match self {
            Self::Updated { old, new } => old.ptr_eq(new) || old.resource_version() == new.resource_version(),
            Self::Added(_) | Self::Deleted(_) | Self::Vanished(_) => false,
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
            Self::Added(new) => Self::Added(new.clone()),
            Self::Updated { old, new } => Self::Updated { old: old.clone(), new: new.clone() },
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
            Self::Vanished(last) => Self::Vanished(last.clone()),
        }
    }
}

impl<K: Object> fmt::Debug for Change<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(new) => write!(f, "Added({}@{})", new.key(), new.resource_version()),
            Self::Updated { old, new } => {
                write!(f, "Updated({}@{}→{})", new.key(), old.resource_version(), new.resource_version())
            }
            Self::Deleted(deleted) => write!(f, "Deleted({deleted:?})"),
            Self::Vanished(last) => write!(f, "Deleted(tombstone {last})"),
        }
    }
}
