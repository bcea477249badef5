//! [`Input`]: a collection that a program writes.

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use client_rs_cache::Collection;
use client_rs_machinery::Str;
use client_rs_machinery::hash::HashMap;
use tokio::sync::{Notify, watch};

use crate::batch::stage;
use crate::core::engine::Engine;
use crate::core::look::check_outside;
use crate::handles::Place;
use crate::sync::{AtomicBool, Mutex, MutexGuard};
use crate::{Key, LiveSet};

/// A collection that a program writes: the end of a channel, the content of a file, the answer of a request.
///
/// Its methods may be called from any thread. They put the change into an inbox and return: the graph takes all
/// inboxes as one epoch when it [runs](crate::Graph::spawn), or with [`Graph::flush`](crate::Graph::flush). An
/// inbox has at most one change per key: the last counts. [`Graph::update`](crate::Graph::update) changes several
/// keys or inputs in one epoch.
///
/// It is a handle of the collection too, and dereferences to its [`LiveSet`].
///
/// ```
/// use client_rs_collections::Graph;
///
/// let graph = Graph::new();
/// let settings = graph.input::<&str, u32>("settings");
/// let doubled = graph.map("doubled", &settings, |_, value, _| 2 * **value);
/// settings.insert("replicas", 3);
/// settings.insert("replicas", 4);
/// assert_eq!(graph.get(&doubled, &"replicas"), None, "nothing has taken the inbox yet");
/// graph.flush();
/// assert_eq!(graph.get(&doubled, &"replicas").as_deref(), Some(&8));
/// ```
pub struct Input<K, V> {
    // Ends before its collection.
    inbox: Arc<Inbox<K, V>>,
    set: LiveSet<K, V>,
}

/// Changes that wait for the next epoch.
pub(crate) struct Inbox<K, V> {
    place: Place,
    bell: Arc<Bell>,
    staged: Mutex<Staged<K, V>>,
}

/// The versions that an informer has, by its collections.
pub(crate) type Versions = Vec<(Collection, Str)>;

struct Staged<K, V> {
    /// Whether entries that are not named here are gone.
    replaces: bool,
    entries: HashMap<K, Option<Arc<V>>>,
    sync: Syncing,
    /// The versions of the informer with the last change, for a recording.
    versions: Option<Versions>,
}

/// Whether the first content of an input has arrived.
enum Syncing {
    /// The graph counts it as not synced.
    Waiting(Arc<watch::Sender<usize>>),
    /// It has arrived, and the next epoch brings it.
    Arrived(Arc<watch::Sender<usize>>),
    Done,
}

/// An inbox of any type.
pub(crate) trait AnyInbox: Send + Sync {
    /// Stages all changes in the engine.
    fn drain(&self, engine: &mut Engine);

    /// The epoch with the drained changes is over.
    fn settle(&self);
}

/// Rings when an inbox has something.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    rung: AtomicBool,
    pub(crate) notify: Notify,
}

impl Bell {
    pub(crate) fn ring(&self) {
        if !self.rung.swap(true, Ordering::AcqRel) {
            self.notify.notify_one();
        }
    }

    /// Returns whether it has rung since the last call.
    pub(crate) fn answer(&self) -> bool {
        self.rung.load(Ordering::Acquire) && self.rung.swap(false, Ordering::AcqRel)
    }
}

impl<K: Key, V: Send + Sync + 'static> Input<K, V> {
    pub(crate) fn new(set: LiveSet<K, V>, inbox: Arc<Inbox<K, V>>) -> Self {
        Self { inbox, set }
    }

    pub(crate) fn inbox(&self) -> &Arc<Inbox<K, V>> {
        &self.inbox
    }

    /// Sets the value of a key.
    pub fn insert(&self, key: K, value: impl Into<Arc<V>>) {
        self.inbox.set(key, Some(value.into()));
    }

    /// Removes a key.
    pub fn remove(&self, key: &K) {
        self.inbox.set(key.clone(), None);
    }

    /// Replaces all entries: keys that are not named are gone.
    pub fn replace<W: Into<Arc<V>>>(&self, entries: impl IntoIterator<Item = (K, W)>) {
        self.inbox.replace(entries.into_iter().map(|(key, value)| (key, Some(value.into()))).collect());
    }

    /// Returns the collection.
    pub fn live(&self) -> &LiveSet<K, V> {
        &self.set
    }

    /// Counts the input as not synced until [`mark_synced`](Self::mark_synced): its first content is still to come.
    /// See [`Graph::synced`](crate::Graph::synced).
    #[must_use]
    pub fn awaiting_sync(self, graph: &crate::Graph) -> Self {
        self.inbox.await_sync(graph.unsynced());
        self
    }

    /// The first content is complete: everything that was set before this call.
    pub fn mark_synced(&self) {
        self.inbox.mark_synced();
    }
}

impl<K: Key, V: Send + Sync + 'static> Inbox<K, V> {
    pub(crate) fn new(place: Place, bell: Arc<Bell>) -> Self {
        let staged =
            Staged { replaces: false, entries: HashMap::default(), sync: Syncing::Done, versions: None };
        Self { place, bell, staged: Mutex::new(staged) }
    }

    pub(crate) fn set(&self, key: K, value: Option<Arc<V>>) {
        self.set_at(key, value, None);
    }

    /// Sets a value, and notes the versions that the informer has with it.
    pub(crate) fn set_at(&self, key: K, value: Option<Arc<V>>, versions: Option<Versions>) {
        check_outside();
        let mut staged = self.lock();
        staged.entries.insert(key, value);
        if versions.is_some() {
            staged.versions = versions;
        }
        drop(staged);
        self.bell.ring();
    }

    pub(crate) fn replace(&self, entries: HashMap<K, Option<Arc<V>>>) {
        check_outside();
        let mut staged = self.lock();
        staged.replaces = true;
        let before = std::mem::replace(&mut staged.entries, entries);
        drop(staged);
        drop(before);
        self.bell.ring();
    }

    pub(crate) fn await_sync(&self, unsynced: Arc<watch::Sender<usize>>) {
        let mut staged = self.lock();
        if matches!(staged.sync, Syncing::Done) {
            unsynced.send_modify(|count| *count += 1);
            staged.sync = Syncing::Waiting(unsynced);
        }
    }

    pub(crate) fn mark_synced(&self) {
        let mut staged = self.lock();
        staged.sync = match std::mem::replace(&mut staged.sync, Syncing::Done) {
            Syncing::Waiting(unsynced) => Syncing::Arrived(unsynced),
            other => other,
        };
        drop(staged);
        self.bell.ring();
    }

    fn lock(&self) -> MutexGuard<'_, Staged<K, V>> {
        // A panic while it is locked can only come from a key's `Hash` or `Eq`, and leaves a valid map.
        self.staged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Key, V: Send + Sync + 'static> AnyInbox for Inbox<K, V> {
    fn drain(&self, engine: &mut Engine) {
        let mut staged = self.lock();
        let replaces = std::mem::take(&mut staged.replaces);
        let entries = std::mem::take(&mut staged.entries);
        let versions = staged.versions.take();
        drop(staged);
        if entries.is_empty() && !replaces {
            return;
        }
        stage::<K, V>(engine, self.place, |node| {
            if let Some(versions) = versions {
                node.has(versions);
            }
            if replaces {
                node.replace(entries.into_iter().filter_map(|(key, value)| Some((key, value?))).collect());
            } else {
                for (key, value) in entries {
                    node.set(key, value);
                }
            }
            node.drained();
        });
    }

    fn settle(&self) {
        let mut staged = self.lock();
        // Changes that came since belong to the next epoch, and may be part of the first content.
        if !staged.entries.is_empty() || staged.replaces {
            return;
        }
        staged.sync = match std::mem::replace(&mut staged.sync, Syncing::Done) {
            Syncing::Arrived(unsynced) => {
                unsynced.send_modify(|count| *count -= 1);
                Syncing::Done
            }
            other => other,
        };
    }
}

impl<K, V> Drop for Inbox<K, V> {
    fn drop(&mut self) {
        // An input that ends before its first content does not hold up the others.
        let staged = self.staged.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Syncing::Waiting(unsynced) | Syncing::Arrived(unsynced) = &staged.sync {
            unsynced.send_modify(|count| *count -= 1);
        }
    }
}

impl<K, V> Deref for Input<K, V> {
    type Target = LiveSet<K, V>;

    fn deref(&self) -> &LiveSet<K, V> {
        &self.set
    }
}

impl<K, V> Clone for Input<K, V> {
    fn clone(&self) -> Self {
        Self { inbox: self.inbox.clone(), set: self.set.clone() }
    }
}

impl<K, V> fmt::Debug for Input<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Input").field(&self.set).finish()
    }
}
