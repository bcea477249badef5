//! [`Telling`]: what a handler is to be told, as the store has it.

use std::fmt;

use client_rs_machinery::{Object, ObjectKey};

use super::Notification;
use crate::store::{Change, Stored};
use crate::{Deleted, Tombstone};

/// What a handler is to be told. It becomes a [`Notification`] when it is told: until then packed objects stay packed, so
/// that a handler which lags costs no more than that.
pub(crate) enum Telling<K> {
    Added { object: Stored<K>, is_initial: bool },
    Updated { old: Stored<K>, new: Stored<K> },
    Deleted(Deleted<K>),
    Vanished(Stored<K>),
}

impl<K: Object> Telling<K> {
    /// What is to be told of a change of the store.
    pub(crate) fn new(change: Change<K>, is_initial: bool) -> Self {
        match change {
            Change::Added(object) => Self::Added { object: object.into(), is_initial },
            Change::Updated { old, new } => Self::Updated { old, new },
            Change::Deleted(deleted) => Self::Deleted(deleted),
            Change::Vanished(last) => Self::Vanished(last),
        }
    }

    pub(crate) fn is_initial(&self) -> bool {
        matches!(self, Self::Added { is_initial: true, .. })
    }

    pub(crate) fn key(&self) -> ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } | Self::Vanished(object) => {
                object.key()
            }
            Self::Deleted(deleted) => deleted.key(),
        }
    }

    /// Is it told again though nothing has changed? Versions do not say so: a server that was restored from a backup
    /// uses them again.
    pub(crate) fn is_resync(&self) -> bool {
        match self {
            Self::Updated { old, new } => old.ptr_eq(new),
            Self::Added { .. } | Self::Deleted(_) | Self::Vanished(_) => false,
        }
    }

    /// As it is told. Nothing if a packed object can't be unpacked, which the store has logged and counted.
    pub(crate) fn into_notification(self) -> Option<Notification<K>> {
        Some(match self {
            Self::Added { object, is_initial } => {
                Notification::Added { object: object.object()?, is_initial }
            }
            Self::Updated { old, new } if old.ptr_eq(&new) => {
                let object = new.object()?;
                Notification::Updated { old: object.clone(), new: object }
            }
            Self::Updated { old, new } => {
                let new = new.object()?;
                // That there is something new is to be told, whatever has become of the old.
                Notification::Updated { old: old.object().unwrap_or_else(|| new.clone()), new }
            }
            Self::Deleted(deleted) => Notification::Deleted(deleted),
            Self::Vanished(last) => Notification::Deleted(Deleted::FinalStateUnknown(Tombstone {
                key: last.key(),
                object: last.object(),
            })),
        })
    }
}

impl<K> From<Notification<K>> for Telling<K> {
    fn from(notification: Notification<K>) -> Self {
        match notification {
            Notification::Added { object, is_initial } => Self::Added { object: object.into(), is_initial },
            Notification::Updated { old, new } => Self::Updated { old: old.into(), new: new.into() },
            Notification::Deleted(deleted) => Self::Deleted(deleted),
        }
    }
}

impl<K> Clone for Telling<K> {
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

impl<K: Object> fmt::Debug for Telling<K> {
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
