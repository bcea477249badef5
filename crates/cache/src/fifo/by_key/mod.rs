//! [`DeltaFifo`]: deltas grouped by key.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::hash::{HashMap, HashSet, RandomState};
use client_rs_machinery::{Object, ObjectKey, Str};

use super::initial_list::InitialList;
use super::known::KnownObjects;
use super::queue::{Batch, PopError, Queue};
use super::queue_core::QueueCore;
use super::shell::{Shell, queue};
use crate::{Bookmark, Coverage, Deleted, Delta, Replacement, Tombstone, Transform, TransformError};

client_rs_machinery::options! {
    /// The options of a [`DeltaFifo`].
    pub struct DeltaFifoOptions<K> {
        /// Applied to every object before it is queued. Default: unset.
        pub transform: Option<Transform<K>> => with_transform,
        /// The objects that the consumer has, to compare with a new list and for resyncs. Default: unset; then
        /// only queued deltas count, and a resync does nothing.
        pub known: Option<Arc<dyn KnownObjects<K>>> => with_known,
        /// Whether the objects of a list are handed out as [`Delta::Replaced`], or else as [`Delta::Sync`]. Default: true.
        pub replaced: bool => with_replaced,
        /// Whether the rest of a failed batch is queued again, behind everything else and before newer deltas
        /// of its key. Default: false.
        pub requeue: bool => with_requeue,
        /// The number of parts of the collection to list before [`Queue::has_synced`] can be true. Default: 1.
        pub parts: usize => with_parts,
    }
}

/// Hands out deltas grouped by key: all queued deltas of one key together, with the keys in the order of their
/// arrival. client-go's `DeltaFIFO`.
///
/// Use it if a key that changes often must not delay the others. A key is queued once, and costs the memory of
/// all its deltas until it is handed out. Two deletions in a row become one. Because keys overtake each other,
/// the version of the store behind it is meaningless ([`IndexerOptions::in_order`](crate::IndexerOptions) must
/// be false), and bookmarks are not queued. Informers use [`InOrderFifo`](crate::InOrderFifo).
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
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::{DeltaFifo, DeltaFifoOptions, Queue};
///
/// let queue = DeltaFifo::new(DeltaFifoOptions::default());
/// queue.add(pod("web", 1))?;
/// queue.add(pod("db", 2))?;
/// queue.update(pod("web", 3))?;
/// let mut popped = Vec::new();
/// queue.pop(|batch| {
///     popped.extend(batch.deltas.drain(..).map(|delta| format!("{delta:?}")));
///     Ok::<(), std::convert::Infallible>(())
/// })
/// .await?;
/// assert_eq!(popped, ["Added(default/web@1)", "Updated(default/web@3)"]);
/// assert_eq!(queue.len(), 1, "db is still queued");
/// # Ok(())
/// # }
/// ```
pub struct DeltaFifo<K> {
    shell: Shell<K, ByKey<K>>,
}

impl<K: Object> DeltaFifo<K> {
    /// Makes an empty queue.
    pub fn new(options: DeltaFifoOptions<K>) -> Self {
        let DeltaFifoOptions { transform, known, replaced, requeue, parts } = options;
        let core = ByKey {
            queue: VecDeque::new(),
            deltas: HashMap::default(),
            taken: None,
            initial_list: InitialList::new(parts),
            known,
            replaced,
            requeue,
        };
        Self { shell: Shell::new(core, transform) }
    }

    /// Returns the newest state of each queued object that is not deleted, in the order in which the keys come out.
    pub fn list(&self) -> Vec<Arc<K>> {
        self.shell.with(|state| {
            let ByKey { queue, deltas, .. } = &state.core;
            let newest = queue.iter().filter_map(|key| deltas.get(key)?.last());
            newest
                .filter(|delta| !matches!(delta, Delta::Deleted(_)))
                .filter_map(Delta::object)
                .cloned()
                .collect()
        })
    }

    /// Returns the queued keys, in the order in which they come out.
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.shell.with(|state| state.core.queue.iter().cloned().collect())
    }

    /// Returns the queued deltas of a key, oldest first.
    pub fn get(&self, key: &ObjectKey) -> Vec<Delta<K>> {
        self.shell.with(|state| state.core.deltas.get(key).cloned().unwrap_or_default())
    }
}

queue!(DeltaFifo);

impl<K> Default for DeltaFifoOptions<K> {
    fn default() -> Self {
        Self { transform: None, known: None, replaced: true, requeue: false, parts: 1 }
    }
}

impl<K> fmt::Debug for DeltaFifoOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeltaFifoOptions")
            .field("transform", &self.transform)
            .field("known", &self.known.is_some())
            .field("replaced", &self.replaced)
            .field("requeue", &self.requeue)
            .field("parts", &self.parts)
            .finish()
    }
}

struct ByKey<K> {
    queue: VecDeque<ObjectKey>,
    /// The deltas of every queued key; never empty.
    deltas: HashMap<ObjectKey, Vec<Delta<K>>>,
    /// The delta in progress, which the known objects may not show yet.
    taken: Option<(ObjectKey, Delta<K>)>,
    initial_list: InitialList,
    known: Option<Arc<dyn KnownObjects<K>>>,
    replaced: bool,
    requeue: bool,
}

impl<K: Object> QueueCore<K> for ByKey<K> {
    fn event(&mut self, delta: Delta<K>) {
        if !matches!(delta, Delta::Stale { .. }) {
            self.initial_list.touch();
        }
        let Some(key) = delta.key() else { return };
        // The consumer does not know the object, so its deletion is irrelevant.
        if matches!(delta, Delta::Deleted(_)) && !self.knows(&key) {
            return;
        }
        self.push(key, delta);
    }

    fn replace(&mut self, list: Replacement<K>) {
        let Replacement { coverage, objects, stale, .. } = list;
        let first = self.initial_list.is_first(&coverage);
        let mut listed = HashSet::with_capacity_and_hasher(objects.len(), RandomState::default());
        for object in objects {
            let key = object.key();
            listed.insert(key.clone());
            // An object that cannot be unpacked comes from the store, so it has not changed.
            if let Some(object) = object.object() {
                self.push(key, if self.replaced { Delta::Replaced(object) } else { Delta::Sync(object) });
            }
        }
        for (key, resource_version) in stale {
            listed.insert(key.clone());
            self.push(key.clone(), Delta::Stale { key, resource_version });
        }
        let is_gone = |key: &ObjectKey| coverage.contains(&key.namespace) && !listed.contains(key);
        let queued = self.queue.iter().filter(|key| is_gone(key));
        let taken = self.taken.iter().map(|(key, _)| key);
        let taken = taken.filter(|key| is_gone(key) && !self.deltas.contains_key(*key));
        let mut gone: Vec<Tombstone<K>> = queued
            .chain(taken)
            .map(|key| Tombstone::new(key.clone(), self.newest_object(key).cloned()))
            .collect();
        if let Some(known) = &self.known {
            let keys = known.keys().into_iter();
            let keys = keys.filter(|key| is_gone(key) && self.newest(key).is_none());
            gone.extend(keys.map(|key| {
                let object = known.get(&key);
                Tombstone::new(key, object)
            }));
        }
        for tombstone in gone {
            self.push(tombstone.key.clone(), Delta::Deleted(Deleted::FinalStateUnknown(tombstone)));
        }
        if first {
            // Keys come out in the order in which they went in: the entries queued now come first.
            self.initial_list.wait_for(usize::from(self.taken.is_some()) + self.queue.len());
        }
    }

    fn resync(&mut self, coverage: Coverage) {
        let Some(known) = self.known.clone() else { return };
        for key in known.keys() {
            if coverage.contains(&key.namespace)
                && self.newest(&key).is_none()
                && let Some(object) = known.get(&key)
            {
                self.push(key, Delta::Sync(object));
            }
        }
    }

    fn bookmark(&mut self, _bookmark: Bookmark) {}

    fn take(&mut self) -> Option<Batch<K>> {
        let key = self.queue.pop_front()?;
        let deltas = self.deltas.remove(&key).unwrap_or_default();
        self.taken = deltas.last().cloned().map(|newest| (key, newest));
        Some(Batch { deltas, is_initial: !self.initial_list.has_synced() })
    }

    fn done(&mut self, left: Vec<Delta<K>>) {
        let taken = self.taken.take();
        self.initial_list.done(1);
        if let (true, false, Some((key, _))) = (self.requeue, left.is_empty(), taken) {
            let newer = self.deltas.remove(&key);
            if newer.is_none() {
                self.queue.push_back(key.clone());
            }
            let deltas = self.deltas.entry(key).insert(Vec::new()).into_mut();
            for delta in left.into_iter().chain(newer.into_iter().flatten()) {
                deltas.push(delta);
                dedup(deltas);
            }
        }
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.taken.is_none()
    }

    fn has_synced(&self) -> bool {
        self.initial_list.has_synced()
    }
}

impl<K: Object> ByKey<K> {
    fn push(&mut self, key: ObjectKey, delta: Delta<K>) {
        let deltas = self.deltas.entry(key.clone()).or_default();
        if deltas.is_empty() {
            self.queue.push_back(key);
        }
        deltas.push(delta);
        dedup(deltas);
    }

    /// Returns the newest delta of a key that is queued or in progress.
    fn newest(&self, key: &ObjectKey) -> Option<&Delta<K>> {
        let queued = self.deltas.get(key).and_then(|deltas| deltas.last());
        queued.or_else(|| self.taken.as_ref().filter(|(taken, _)| taken == key).map(|(_, delta)| delta))
    }

    /// Returns the newest state of a key that is queued or in progress, if one of its deltas has it.
    fn newest_object(&self, key: &ObjectKey) -> Option<&Arc<K>> {
        let taken = self.taken.as_ref().filter(|(taken, _)| taken == key).map(|(_, delta)| delta);
        let queued = self.deltas.get(key).into_iter().flatten();
        taken.into_iter().chain(queued).rev().find_map(Delta::object)
    }

    fn knows(&self, key: &ObjectKey) -> bool {
        self.newest(key).is_some() || self.known.as_ref().is_some_and(|known| known.get(key).is_some())
    }
}

/// Merges two deletions in a row: the one with the last state stays, or the earlier one.
fn dedup<K>(deltas: &mut Vec<Delta<K>>) {
    if let [.., Delta::Deleted(first), Delta::Deleted(second)] = &deltas[..] {
        let drop_first = first.is_tombstone() && !second.is_tombstone();
        deltas.remove(deltas.len() - if drop_first { 2 } else { 1 });
    }
}

#[cfg(test)]
mod tests;
