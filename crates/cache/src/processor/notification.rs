//! What a handler is told.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey};

use crate::Deleted;

/// What a handler is told.
///
/// For each key a handler sees a valid history: an addition first, then updates each of whose old objects is
/// the one told before, then a deletion, after which all may begin again.
pub enum Notification<K> {
    /// An object that this handler has not been told of.
    Added {
        /// The object.
        object: Arc<K>,
        /// Was it there when the handler began, as far as the cache can tell?
        is_initial: bool,
    },
    /// An object has changed, or is told again (then both have the same resourceVersion).
    Updated {
        /// What the handler was told last.
        old: Arc<K>,
        /// What is there now.
        new: Arc<K>,
    },
    /// An object is gone.
    Deleted(Deleted<K>),
}

impl<K> Notification<K> {
    /// As one sees it who knows only what passes a filter: an object that begins to pass is added, one that
    /// ceases to is deleted. `None` where there is nothing to tell.
    ///
    /// A deletion without an object is told: nobody can say that it did not pass.
    pub fn filtered(self, filter: impl Fn(&K) -> bool) -> Option<Self> {
        match self {
            Self::Added { object, is_initial } => {
                filter(&object).then_some(Self::Added { object, is_initial })
            }
            Self::Updated { old, new } => match (filter(&old), filter(&new)) {
                (true, true) => Some(Self::Updated { old, new }),
                (false, true) => Some(Self::Added { object: new, is_initial: false }),
                (true, false) => Some(Self::Deleted(Deleted::Object(old))),
                (false, false) => None,
            },
            Self::Deleted(deleted) => {
                deleted.object().is_none_or(|object| filter(object)).then_some(Self::Deleted(deleted))
            }
        }
    }
}

impl<K: Object> Notification<K> {
    /// The object's key.
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => object.key(),
            Self::Deleted(deleted) => deleted.key(),
        }
    }
}

// Derived, these would ask for `K: Clone` and `K: Debug`.

impl<K> Clone for Notification<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Added { object, is_initial } => {
                Self::Added { object: object.clone(), is_initial: *is_initial }
            }
            Self::Updated { old, new } => Self::Updated { old: old.clone(), new: new.clone() },
            Self::Deleted(deleted) => Self::Deleted(deleted.clone()),
        }
    }
}

impl<K: Object> fmt::Debug for Notification<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { object, is_initial } => {
                let initial = if *is_initial { ", initial" } else { "" };
                write!(f, "Added({}@{}{initial})", object.key(), object.resource_version())
            }
            Self::Updated { old, new } => {
                write!(f, "Updated({}@{}→{})", new.key(), old.resource_version(), new.resource_version())
            }
            Self::Deleted(deleted) => write!(f, "Deleted({deleted:?})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tombstone;
    use crate::fixtures::{TestObject, object};

    #[test]
    fn a_filter_turns_updates_into_additions_and_deletions() {
        let even = |object: &TestObject| object.resource_version().parse::<u64>().unwrap() % 2 == 0;
        let update = |old, new| Notification::Updated { old: object("a", old), new: object("a", new) };
        let tombstone =
            |object| Deleted::FinalStateUnknown(Tombstone { key: ObjectKey::new("ns", "a"), object });
        for (notification, expected) in [
            (
                Notification::Added { object: object("a", 2), is_initial: true },
                "Some(Added(ns/a@2, initial))",
            ),
            (Notification::Added { object: object("a", 1), is_initial: true }, "None"),
            (update(2, 4), "Some(Updated(ns/a@2→4))"),
            (update(1, 2), "Some(Added(ns/a@2))"),
            (update(2, 3), "Some(Deleted(ns/a@2))"),
            (update(1, 3), "None"),
            (Notification::Deleted(Deleted::Object(object("a", 2))), "Some(Deleted(ns/a@2))"),
            (Notification::Deleted(Deleted::Object(object("a", 1))), "None"),
            (Notification::Deleted(tombstone(Some(object("a", 1)))), "None"),
            (Notification::Deleted(tombstone(None)), "Some(Deleted(tombstone ns/a@?))"),
        ] {
            assert_eq!(format!("{:?}", notification.filtered(even)), expected);
        }
    }
}
