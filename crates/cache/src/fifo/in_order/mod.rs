//! [`InOrderFifo`]: every delta, in the order of arrival.

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
use crate::store::Stored;
use crate::{
    Bookmark, Coverage, Deleted, Delta, DeltaKind, Replacement, Tombstone, Transform, TransformError,
};

client_rs_machinery::options! {
    /// The options of an [`InOrderFifo`].
    pub struct InOrderFifoOptions<K> {
        /// Applied to every object before it is queued. Default: unset.
        pub transform: Option<Transform<K>> => with_transform,
        /// The largest number of deltas in a batch. Default: 1,000. Zero counts as 1.
        pub max_batch: usize => with_max_batch,
        /// Whether bookmarks are queued. Default: true. A queue with known objects never queues them.
        pub bookmarks: bool => with_bookmarks,
        /// The objects that the consumer has. Default: unset; then a list is handed out as one
        /// [`Delta::ReplacedAll`] and a resync as one [`Delta::SyncAll`], and the store compares when it
        /// applies them. With known objects the queue compares when the list arrives, and hands out single
        /// deltas.
        pub known: Option<Arc<dyn KnownObjects<K>>> => with_known,
        /// The number of parts of the collection to list before [`Queue::has_synced`] can be true. Default: 1.
        pub parts: usize => with_parts,
    }
}

/// Hands out every delta in the order of arrival, across all keys: client-go's `RealFIFO`. Informers use it.
///
/// Nothing is merged or dropped. A batch is as long as possible: up to the limit, up to the second delta of a
/// key in it, up to the end of the first list, or up to a delta that concerns more than one object, which comes
/// alone. A batch that fails is not queued again.
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
/// use client_rs_cache::{InOrderFifo, InOrderFifoOptions, Queue};
///
/// let queue = InOrderFifo::new(InOrderFifoOptions::default());
/// queue.add(pod("web", 1))?;
/// queue.add(pod("db", 2))?;
/// queue.update(pod("web", 3))?;
/// let mut popped = Vec::new();
/// queue.pop(|batch| {
///     popped.extend(batch.deltas.drain(..).map(|delta| format!("{delta:?}")));
///     Ok::<(), std::convert::Infallible>(())
/// })
/// .await?;
/// assert_eq!(popped, ["Added(default/web@1)", "Added(default/db@2)"], "one delta per key in a batch");
/// # Ok(())
/// # }
/// ```
pub struct InOrderFifo<K> {
    shell: Shell<K, InOrder<K>>,
}

impl<K: Object> InOrderFifo<K> {
    /// Makes an empty queue.
    pub fn new(options: InOrderFifoOptions<K>) -> Self {
        let InOrderFifoOptions { transform, max_batch, bookmarks, known, parts } = options;
        let core = InOrder {
            queue: VecDeque::new(),
            taken: Vec::new(),
            taken_len: 0,
            initial_list: InitialList::new(parts),
            max_batch: max_batch.max(1),
            bookmarks: bookmarks && known.is_none(),
            known,
        };
        Self { shell: Shell::new(core, transform) }
    }
}

#[cfg(feature = "sim")]
impl<K: Object> InOrderFifo<K> {
    /// Writes the queued deltas, to recognize the state.
    pub(crate) fn fingerprint(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.shell.with(|state| write!(out, "{:?}", state.core.queue))
    }
}

queue!(InOrderFifo);

impl<K> Default for InOrderFifoOptions<K> {
    fn default() -> Self {
        Self { transform: None, max_batch: 1_000, bookmarks: true, known: None, parts: 1 }
    }
}

impl<K> fmt::Debug for InOrderFifoOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InOrderFifoOptions")
            .field("transform", &self.transform)
            .field("max_batch", &self.max_batch)
            .field("bookmarks", &self.bookmarks)
            .field("known", &self.known.is_some())
            .field("parts", &self.parts)
            .finish()
    }
}

struct InOrder<K> {
    queue: VecDeque<Delta<K>>,
    /// With known objects: the deltas in progress, which the known objects may not show yet.
    taken: Vec<Delta<K>>,
    taken_len: usize,
    initial_list: InitialList,
    max_batch: usize,
    bookmarks: bool,
    known: Option<Arc<dyn KnownObjects<K>>>,
}

impl<K: Object> QueueCore<K> for InOrder<K> {
    fn event(&mut self, delta: Delta<K>) {
        if !matches!(delta, Delta::Stale { .. }) {
            self.initial_list.touch();
        }
        self.queue.push_back(delta);
    }

    fn replace(&mut self, list: Replacement<K>) {
        let first = self.initial_list.is_first(&list.coverage);
        match self.known.clone() {
            None => self.queue.push_back(Delta::ReplacedAll(Box::new(list))),
            Some(known) => self.compare(list, &*known),
        }
        if first {
            self.initial_list.wait_for(self.taken_len + self.queue.len());
        }
    }

    fn resync(&mut self, coverage: Coverage) {
        let Some(known) = &self.known else {
            // A queued resync hands out the objects that exist when it is processed. A second one would add
            // nothing, and a consumer that is slower than the resyncs would lag forever.
            let waits = |delta: &Delta<K>| matches!(delta, Delta::SyncAll(queued) if *queued == coverage);
            if !self.queue.iter().any(waits) {
                self.queue.push_back(Delta::SyncAll(coverage));
            }
            return;
        };
        let queued: HashSet<ObjectKey> =
            self.taken.iter().chain(&self.queue).filter_map(Delta::key).collect();
        let keys = known.keys().into_iter();
        let keys = keys.filter(|key| coverage.contains(&key.namespace) && !queued.contains(key));
        self.queue.extend(keys.filter_map(|key| known.get(&key)).map(Delta::Sync));
    }

    fn bookmark(&mut self, bookmark: Bookmark) {
        if self.bookmarks {
            self.queue.push_back(Delta::Bookmark(bookmark));
        }
    }

    fn take(&mut self) -> Option<Batch<K>> {
        let len = self.batch_len()?;
        let batch =
            Batch { deltas: self.queue.drain(..len).collect(), is_initial: !self.initial_list.has_synced() };
        self.taken_len = len;
        if self.known.is_some() {
            self.taken.clone_from(&batch.deltas);
        }
        Some(batch)
    }

    fn done(&mut self, _left: Vec<Delta<K>>) {
        self.taken.clear();
        self.initial_list.done(std::mem::take(&mut self.taken_len));
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.taken_len == 0
    }

    fn has_synced(&self) -> bool {
        self.initial_list.has_synced()
    }
}

impl<K: Object> InOrder<K> {
    /// Returns the number of deltas in the next batch; `None` if the queue is empty.
    fn batch_len(&self) -> Option<usize> {
        let head = self.queue.front()?;
        if self.queue.len() == 1 || self.max_batch == 1 || !is_batchable(head) {
            return Some(1);
        }
        let most = match self.initial_list.left() {
            0 => self.max_batch,
            left => self.max_batch.min(left),
        };
        let mut keys = HashSet::with_capacity_and_hasher(most.min(self.queue.len()), RandomState::default());
        let same = self
            .queue
            .iter()
            .take(most)
            .take_while(|delta| is_batchable(delta) && delta.key().is_some_and(|key| keys.insert(key)));
        Some(same.count().max(1))
    }

    /// Queues the differences between a list and the queued and known objects.
    fn compare(&mut self, list: Replacement<K>, known: &dyn KnownObjects<K>) {
        let Replacement { coverage, objects, stale, .. } = list;
        let listed: HashSet<ObjectKey> =
            objects.iter().map(Stored::key).chain(stale.iter().map(|(key, _)| key.clone())).collect();
        let is_gone = |key: &ObjectKey| coverage.contains(&key.namespace) && !listed.contains(key);
        let mut tombstones = Vec::new();
        // The newest delta of each key counts, in the order in which the keys arrived.
        let mut places: HashMap<ObjectKey, usize> = HashMap::default();
        let mut newest: Vec<(ObjectKey, &Delta<K>)> = Vec::new();
        for delta in self.taken.iter().chain(&self.queue) {
            match delta.key() {
                Some(key) if delta.kind() != DeltaKind::Stale => {
                    let place = *places.entry(key.clone()).or_insert_with(|| {
                        newest.push((key, delta));
                        newest.len() - 1
                    });
                    newest[place].1 = delta;
                }
                _ => {}
            }
        }
        for (key, delta) in newest {
            if is_gone(&key) && delta.kind() != DeltaKind::Deleted {
                tombstones.push(Tombstone::new(key, delta.object().cloned()));
            }
        }
        for key in known.keys() {
            if is_gone(&key) && !places.contains_key(&key) {
                let object = known.get(&key);
                tombstones.push(Tombstone::new(key, object));
            }
        }
        let tombstones = tombstones.into_iter().map(|gone| Delta::Deleted(Deleted::FinalStateUnknown(gone)));
        self.queue.extend(tombstones);
        // An object that cannot be unpacked comes from the store, so it has not changed.
        self.queue.extend(objects.iter().filter_map(Stored::object).map(Delta::Replaced));
        let stale = stale.into_iter();
        self.queue.extend(stale.map(|(key, resource_version)| Delta::Stale { key, resource_version }));
    }
}

fn is_batchable<K>(delta: &Delta<K>) -> bool {
    !matches!(delta, Delta::ReplacedAll(_) | Delta::SyncAll(_) | Delta::Bookmark(_))
}

#[cfg(test)]
mod tests;
