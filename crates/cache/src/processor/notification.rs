//! [`Notification`]: a change, as a handler gets it.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, canary};

use crate::store::Change;
use crate::{Deleted, Tombstone};

/// A change of an object, as [handlers](crate::EventHandler), predicates and
/// [subscriptions](crate::Subscription) get it.
///
/// For each key a handler sees a valid history: an addition first, then updates whose old state is the one of
/// the last notification, then a deletion, after which it may start again.
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
/// use client_rs_cache::Notification;
///
/// let updated = Notification::Updated { old: Arc::new(pod("web", 1)), new: Arc::new(pod("web", 2)) };
/// assert_eq!(updated.key().to_string(), "default/web");
/// assert!(!updated.is_replay());
/// assert_eq!(format!("{updated:?}"), "Updated(default/web@1→2)");
/// ```
///
/// `K` may be `dyn Object`, for handlers of objects of any type.
pub enum Notification<K: ?Sized> {
    /// An object that is new to this handler.
    Added {
        /// The object.
        object: Arc<K>,
        /// Whether the object existed when the handler was added, as far as the cache can determine.
        is_initial: bool,
    },
    /// An object has changed, or is replayed by a resync or relist. In a replay both have the same resourceVersion.
    Updated {
        /// The state of the last notification to this handler.
        old: Arc<K>,
        /// The new state.
        new: Arc<K>,
    },
    /// An object was deleted.
    Deleted(Deleted<K>),
}

/// The result of a filter for a notification.
pub(super) enum Passage<'a, K: ?Sized> {
    /// The notification passes unchanged.
    AsIs,
    /// The object starts to pass: an addition.
    Enters(&'a Arc<K>),
    /// The object no longer passes: a deletion.
    Leaves(&'a Arc<K>),
    /// The notification does not pass.
    Nothing,
}

impl<K: ?Sized> Notification<K> {
    /// Returns the notification for a handler that knows only the objects that pass a filter: an object that
    /// starts to pass is added, and an object that no longer passes is deleted. `None` if the handler need not
    /// be notified.
    ///
    /// A deletion without an object passes, because the filter cannot decide.
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
    /// use client_rs_cache::Notification;
    ///
    /// let ready = |pod: &PartialObjectMetadata| pod.metadata.generation > 0;
    /// let (before, mut after) = (pod("web", 1), pod("web", 2));
    /// after.metadata.generation = 1;
    /// let update = Notification::Updated { old: Arc::new(before), new: Arc::new(after) };
    /// assert!(matches!(update.filtered(ready), Some(Notification::Added { .. })));
    /// ```
    pub fn filtered(self, filter: impl Fn(&K) -> bool) -> Option<Self> {
        match self.passage(filter) {
            Passage::AsIs => Some(self),
            Passage::Enters(new) => Some(Self::Added { object: new.clone(), is_initial: false }),
            Passage::Leaves(old) => Some(Self::Deleted(Deleted::Object(old.clone()))),
            Passage::Nothing => None,
        }
    }

    pub(super) fn passage(&self, filter: impl Fn(&K) -> bool) -> Passage<'_, K> {
        let passes = |passes| if passes { Passage::AsIs } else { Passage::Nothing };
        match self {
            Self::Added { object, .. } => passes(filter(object)),
            Self::Updated { old, new } => match (filter(old), filter(new)) {
                (true, true) => Passage::AsIs,
                (false, true) => Passage::Enters(new),
                (true, false) if canary!(23) => Passage::Nothing,
                (true, false) => Passage::Leaves(old),
                (false, false) => Passage::Nothing,
            },
            Self::Deleted(deleted) => passes(deleted.object().is_none_or(|object| filter(object))),
        }
    }

    /// Iterates over the states of the object, the old one first. Empty for a deletion whose last state is not
    /// known.
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
    /// # use client_rs_cache::Notification;
    /// let update = Notification::Updated { old: Arc::new(pod("web", 1)), new: Arc::new(pod("web", 2)) };
    /// let versions: Vec<_> = update.objects().map(|pod| pod.metadata.resource_version.clone()).collect();
    /// assert_eq!(versions, ["1", "2"]);
    /// ```
    pub fn objects(&self) -> impl Iterator<Item = &Arc<K>> {
        let (first, second) = match self {
            Self::Added { object, .. } => (Some(object), None),
            Self::Updated { new, .. } if canary!(24) => (Some(new), None),
            Self::Updated { old, new } => (Some(old), Some(new)),
            Self::Deleted(deleted) => (deleted.object(), None),
        };
        first.into_iter().chain(second)
    }
}

impl<K: Object + ?Sized> Notification<K> {
    /// Returns the key of the object.
    pub fn key(&self) -> ObjectKey {
        match self {
            Self::Added { object, .. } | Self::Updated { new: object, .. } => object.key(),
            Self::Deleted(deleted) => deleted.key(),
        }
    }

    /// Returns whether it repeats a known state: an object of the first list, a resync, or a relist without a
    /// change.
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
    /// # use client_rs_cache::Notification;
    /// let web = Arc::new(pod("web", 1));
    /// let resync = Notification::Updated { old: web.clone(), new: web.clone() };
    /// assert!(resync.is_replay());
    /// assert!(!Notification::Added { object: web, is_initial: false }.is_replay());
    /// ```
    pub fn is_replay(&self) -> bool {
        match self {
            Self::Added { is_initial, .. } => *is_initial,
            Self::Updated { old, new } => old.resource_version() == new.resource_version(),
            Self::Deleted(_) => false,
        }
    }
}

impl<K: Object> Notification<K> {
    /// Makes the notification of a change of the store, and decodes packed objects. `None` if one does not
    /// decode; the store has logged and counted that.
    pub(crate) fn from_change(change: Change<K>) -> Option<Self> {
        Some(match change {
            Change::Added { object, is_initial } => Self::Added { object: object.object()?, is_initial },
            Change::Updated { old, new } if old.ptr_eq(&new) => {
                let object = new.object()?;
                Self::Updated { old: object.clone(), new: object }
            }
            Change::Updated { old, new } => {
                let new = new.object()?;
                // The handler gets the new state, even if the old one does not decode.
                Self::Updated { old: old.object().unwrap_or_else(|| new.clone()), new }
            }
            Change::Deleted(deleted) => Self::Deleted(deleted),
            Change::Vanished(last) => {
                Self::Deleted(Deleted::FinalStateUnknown(Tombstone::new(last.key(), last.object())))
            }
        })
    }

    /// Returns the notification for a handler of objects of any type.
    pub(crate) fn to_dyn(&self) -> Notification<dyn Object> {
        match self {
            Self::Added { object, is_initial } => {
                Notification::Added { object: object.clone(), is_initial: *is_initial }
            }
            Self::Updated { old, new } => Notification::Updated { old: old.clone(), new: new.clone() },
            Self::Deleted(Deleted::Object(object)) => Notification::Deleted(Deleted::Object(object.clone())),
            Self::Deleted(Deleted::FinalStateUnknown(Tombstone { key, object, resource_version })) => {
                let object = object.clone().map(|object| object as Arc<dyn Object>);
                let (key, resource_version) = (key.clone(), resource_version.clone());
                Notification::Deleted(Deleted::FinalStateUnknown(Tombstone { key, object, resource_version }))
            }
        }
    }
}

// Derived implementations would require `K: Clone` and `K: Debug`.

impl<K: ?Sized> Clone for Notification<K> {
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

impl<K: Object + ?Sized> fmt::Debug for Notification<K> {
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
    use crate::fixtures::{TestObject, object};

    #[test]
    fn a_replay_is_a_first_list_or_a_repeated_state() {
        let (one, two) = (object("a", 1), object("a", 2));
        let added = |is_initial| Notification::Added { object: one.clone(), is_initial };
        let updated = |new: &Arc<TestObject>| Notification::Updated { old: one.clone(), new: new.clone() };
        let deleted = Notification::Deleted(Deleted::Object(one.clone()));
        assert!(added(true).is_replay() && updated(&one).is_replay());
        assert!(!added(false).is_replay() && !updated(&two).is_replay() && !deleted.is_replay());
        let versions: Vec<_> =
            updated(&two).objects().map(|state| state.resource_version().to_owned()).collect();
        assert_eq!(versions, ["1", "2"], "the old one first");
    }

    #[test]
    fn a_filter_turns_updates_into_additions_and_deletions() {
        let even = |object: &TestObject| object.resource_version().parse::<u64>().unwrap() % 2 == 0;
        let update = |old, new| Notification::Updated { old: object("a", old), new: object("a", new) };
        let tombstone =
            |object| Deleted::FinalStateUnknown(Tombstone::new(ObjectKey::new("ns", "a"), object));
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
