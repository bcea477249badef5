//! [`KeyedDeltaFifo`]: the changes of each key, in the order of arrival of the keys.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use client_rs_machinery::Str;
use client_rs_machinery::hash::{HashMap, HashSet, RandomState};

use super::shell::{Core, Shell};
use super::{KeyFunc, ThreadSafeStore};
use crate::{BoxFuture, HasSynced, PopError};

client_rs_machinery::options! {
    /// The options of a [`KeyedDeltaFifo`].
    pub struct KeyedDeltaFifoOptions<I, T> {
        /// The name in the error of [`wait_for_cache_sync`](crate::wait_for_cache_sync). Default: `delta fifo`.
        pub name: Str => with_name,
        /// The items that the consumer has, to find the deleted ones when a list arrives, and for resyncs. Default: unset; then only
        /// queued deltas count, and a resync does nothing.
        pub known: Option<Arc<ThreadSafeStore<I, T>>> => with_known,
        /// Whether a batch on which processing fails is queued again, behind everything else and before newer deltas of its
        /// key. Default: false.
        pub requeue: bool => with_requeue,
    }
}

/// A change of an item.
pub enum KeyedDelta<T> {
    /// The item is new.
    Added(Arc<T>),
    /// The item changed.
    Updated(Arc<T>),
    /// The item is part of a list, which may or may not have changed it.
    Replaced(Arc<T>),
    /// The item is handed out again by a resync.
    Sync(Arc<T>),
    /// The item was deleted; its last state.
    Deleted(Arc<T>),
    /// The item is missing in a list: its deletion was missed. The newest state that was known, if any.
    DeletedFinalStateUnknown(Option<Arc<T>>),
}

/// The changes of one key.
pub struct KeyedBatch<I, T> {
    /// The key.
    pub key: I,
    /// The changes, oldest first; never empty.
    pub deltas: Vec<KeyedDelta<T>>,
    /// Whether they belong to the first list.
    pub is_initial: bool,
}

/// A queue of the changes of items of any type, grouped by key: client-go's `DeltaFIFO` with a `KeyFunc`.
///
/// Informers of Kubernetes objects have queues of their own ([`DeltaFifo`](crate::DeltaFifo),
/// [`InOrderFifo`](crate::InOrderFifo)). Use this one to follow another source: a registry, a directory, a cloud API.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use client_rs_cache::keyed::{KeyedDelta, KeyedDeltaFifo, KeyedDeltaFifoOptions, KeyedStore};
///
/// type Machine = (u32, &'static str); // number and address
/// let store = KeyedStore::new(|machine: &Machine| machine.0);
/// store.add((1, "10.0.0.1"));
/// let options = KeyedDeltaFifoOptions::default().with_known(store.store().clone());
/// let queue = KeyedDeltaFifo::with_options(Arc::new(|machine: &Machine| machine.0), options);
///
/// queue.replace([Arc::new((2, "10.0.0.2"))]); // a list without the known machine
/// while !queue.is_empty() {
///     queue
///         .pop(|batch| {
///             for delta in &batch.deltas {
///                 match delta {
///                     KeyedDelta::Deleted(_) | KeyedDelta::DeletedFinalStateUnknown(_) => store.store().delete(&batch.key),
///                     delta => delta.item().and_then(|machine| store.add(machine.clone())),
///                 };
///             }
///             Ok::<(), std::convert::Infallible>(())
///         })
///         .await?;
/// }
/// assert_eq!(store.store().list_keys(), [2]);
/// # Ok(())
/// # }
/// ```
///
/// - **Order**: all queued changes of one key come together, oldest first, with the keys in the order of their arrival.
/// - **Merging**: two deletions in a row become one. Nothing else is merged.
/// - **Blocking**: only [`pop`](Self::pop) and [`synced`](Self::synced) wait.
/// - **Memory**: every queued change with its item. Nothing limits their number.
/// - **Close**: queued changes are still handed out; then [`pop`](Self::pop) returns [`PopError::Closed`].
/// - **One consumer**: the changes of a key stay in order only if one task pops.
pub struct KeyedDeltaFifo<I, T> {
    shell: Shell<ByKey<I, T>>,
    key: KeyFunc<I, T>,
    name: Str,
}

struct ByKey<I, T> {
    queue: VecDeque<I>,
    /// The deltas of every queued key; never empty.
    deltas: HashMap<I, Vec<KeyedDelta<T>>>,
    /// The newest delta of each key in progress, which the known items may not show yet.
    taken: HashMap<I, KeyedDelta<T>>,
    /// The number of batches in progress.
    in_progress: usize,
    known: Option<Arc<ThreadSafeStore<I, T>>>,
    requeue: bool,
    populated: bool,
    /// The keys of the first list that are not processed yet.
    initial: usize,
}

impl<I: Hash + Eq + Clone, T: 'static> KeyedDeltaFifo<I, T> {
    /// Makes an empty queue with a key function.
    pub fn new(key: impl Fn(&T) -> I + Send + Sync + 'static) -> Self {
        Self::with_options(Arc::new(key), KeyedDeltaFifoOptions::default())
    }

    /// Makes an empty queue like [`new`](Self::new), with options.
    pub fn with_options(key: KeyFunc<I, T>, options: KeyedDeltaFifoOptions<I, T>) -> Self {
        let core = ByKey {
            queue: VecDeque::new(),
            deltas: HashMap::default(),
            taken: HashMap::default(),
            in_progress: 0,
            known: options.known,
            requeue: options.requeue,
            populated: false,
            initial: 0,
        };
        Self { shell: Shell::new(core), key, name: options.name }
    }

    /// Queues a new item.
    pub fn add(&self, item: impl Into<Arc<T>>) {
        self.event(item.into(), KeyedDelta::Added);
    }

    /// Queues a change of an item.
    pub fn update(&self, item: impl Into<Arc<T>>) {
        self.event(item.into(), KeyedDelta::Updated);
    }

    /// Queues a deletion with the last state. It does nothing if the key is neither queued nor known.
    pub fn delete(&self, item: impl Into<Arc<T>>) {
        self.event(item.into(), KeyedDelta::Deleted);
    }

    /// Queues a complete list: its items as [`KeyedDelta::Replaced`], and a deletion for each queued or known item that it does not have. The first call
    /// defines what [`has_synced`](Self::has_synced) waits for.
    pub fn replace(&self, items: impl IntoIterator<Item = Arc<T>>) {
        let items: Vec<_> = items.into_iter().map(|item| ((self.key)(&item), item)).collect();
        self.shell.put(|core| core.replace(items));
    }

    /// Queues every known item that is not queued as [`KeyedDelta::Sync`].
    pub fn resync(&self) {
        self.shell.put(ByKey::resync);
    }

    /// Returns the newest state of each queued item that is not deleted, in the order in which they come out.
    pub fn list(&self) -> Vec<Arc<T>> {
        let newest = |core: &ByKey<I, T>| {
            let newest = core.queue.iter().filter_map(|key| core.deltas.get(key)?.last());
            newest.filter(|delta| !delta.is_deletion()).filter_map(KeyedDelta::item).cloned().collect()
        };
        self.shell.look(newest)
    }

    /// Returns the queued keys, in the order in which they come out.
    pub fn list_keys(&self) -> Vec<I> {
        self.shell.look(|core| core.queue.iter().cloned().collect())
    }

    /// Returns the queued changes of a key, oldest first.
    pub fn get(&self, key: &I) -> Vec<KeyedDelta<T>> {
        self.shell.look(|core| core.deltas.get(key).cloned().unwrap_or_default())
    }

    /// Returns the number of queued keys.
    pub fn len(&self) -> usize {
        self.shell.look(Core::len)
    }

    /// Returns whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits for a change, removes the changes of the first key and processes them. No lock is held during `process`.
    ///
    /// Cancel-safe: nothing is removed before the call of `process`.
    pub async fn pop<E>(
        &self,
        process: impl FnMut(&KeyedBatch<I, T>) -> Result<(), E>,
    ) -> Result<(), PopError<E>> {
        self.shell.pop(process).await
    }

    /// Does the work of [`pop`](Self::pop) without waiting; `None` if the queue is empty and open.
    pub fn try_pop<E>(
        &self,
        process: impl FnOnce(&KeyedBatch<I, T>) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>> {
        self.shell.try_pop(process)
    }

    /// Returns whether every key of the first [`replace`](Self::replace) was processed. A queue that is filled without a list counts as
    /// synced once the first change has arrived.
    pub fn has_synced(&self) -> bool {
        self.shell.look(Core::has_synced)
    }

    /// Waits for [`has_synced`](Self::has_synced). Returns false if the queue is closed and empty before.
    pub async fn synced(&self) -> bool {
        self.shell.synced().await
    }

    /// Closes the queue: [`pop`](Self::pop) returns an error once the queue is empty. Idempotent.
    pub fn close(&self) {
        self.shell.close();
    }

    /// Returns whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.shell.is_closed()
    }

    fn event(&self, item: Arc<T>, delta: impl FnOnce(Arc<T>) -> KeyedDelta<T>) {
        let key = (self.key)(&item);
        self.shell.put(|core| core.event(key, delta(item)));
    }
}

impl<I: Hash + Eq + Clone, T: 'static> ByKey<I, T> {
    fn event(&mut self, key: I, delta: KeyedDelta<T>) {
        self.populated = true;
        // The consumer does not know the item, so its deletion is irrelevant.
        let is_known = |core: &Self| {
            core.newest(&key).is_some() || core.known.as_ref().is_some_and(|known| known.contains_key(&key))
        };
        if !delta.is_deletion() || is_known(self) {
            self.push(key, delta);
        }
    }

    fn replace(&mut self, items: Vec<(I, Arc<T>)>) {
        let mut listed = HashSet::with_capacity_and_hasher(items.len(), RandomState::default());
        for (key, item) in items {
            listed.insert(key.clone());
            self.push(key, KeyedDelta::Replaced(item));
        }
        let mut gone: Vec<I> = self.queue.iter().filter(|key| !listed.contains(*key)).cloned().collect();
        let queued: HashSet<I> = gone.iter().cloned().collect();
        let is_gone = |key: &I| !listed.contains(key) && !queued.contains(key);
        gone.extend(self.taken.keys().filter(|key| is_gone(key)).cloned());
        if let Some(known) = &self.known {
            let keys = known.list_keys().into_iter();
            gone.extend(keys.filter(|key| is_gone(key) && !self.taken.contains_key(key)));
        }
        for key in gone {
            let newest = self.newest(&key).and_then(KeyedDelta::item).cloned();
            let known = || self.known.as_ref().and_then(|known| known.get(&key));
            let last = newest.or_else(known);
            self.push(key, KeyedDelta::DeletedFinalStateUnknown(last));
        }
        if !self.populated {
            self.initial = self.in_progress + self.queue.len();
        }
        self.populated = true;
    }

    fn resync(&mut self) {
        let Some(known) = self.known.clone() else { return };
        for key in known.list_keys() {
            if self.newest(&key).is_none()
                && let Some(item) = known.get(&key)
            {
                self.push(key, KeyedDelta::Sync(item));
            }
        }
    }

    fn push(&mut self, key: I, delta: KeyedDelta<T>) {
        let deltas = self.deltas.entry(key.clone()).or_default();
        if deltas.is_empty() {
            self.queue.push_back(key);
        }
        push_merged(deltas, delta);
    }

    /// Returns the newest delta of a key that is queued or in progress.
    fn newest(&self, key: &I) -> Option<&KeyedDelta<T>> {
        self.deltas.get(key).and_then(|deltas| deltas.last()).or_else(|| self.taken.get(key))
    }
}

/// Adds a delta. Of two deletions in a row, the one with the last state stays, or the earlier one.
fn push_merged<T>(deltas: &mut Vec<KeyedDelta<T>>, delta: KeyedDelta<T>) {
    match deltas.last_mut() {
        Some(last) if last.is_deletion() && delta.is_deletion() => {
            if matches!((&*last, &delta), (KeyedDelta::DeletedFinalStateUnknown(_), KeyedDelta::Deleted(_))) {
                *last = delta;
            }
        }
        _ => deltas.push(delta),
    }
}

impl<I: Hash + Eq + Clone, T: 'static> Core for ByKey<I, T> {
    type Batch = KeyedBatch<I, T>;

    fn take(&mut self) -> Option<KeyedBatch<I, T>> {
        let key = self.queue.pop_front()?;
        let deltas = self.deltas.remove(&key)?;
        self.taken.extend(deltas.last().map(|newest| (key.clone(), newest.clone())));
        self.in_progress += 1;
        Some(KeyedBatch { key, deltas, is_initial: !self.has_synced() })
    }

    fn done(&mut self, failed: Option<KeyedBatch<I, T>>) {
        self.in_progress -= 1;
        self.initial = self.initial.saturating_sub(1);
        if self.in_progress == 0 {
            self.taken.clear();
        }
        if let Some(batch) = failed.filter(|_| self.requeue) {
            let newer = self.deltas.remove(&batch.key);
            if newer.is_none() {
                self.queue.push_back(batch.key.clone());
            }
            let mut deltas = batch.deltas;
            newer.into_iter().flatten().for_each(|delta| push_merged(&mut deltas, delta));
            self.deltas.insert(batch.key, deltas);
        }
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn has_synced(&self) -> bool {
        self.populated && self.initial == 0
    }

    fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.in_progress == 0
    }
}

impl<T> KeyedDelta<T> {
    /// Returns the item: its new state, or its last one if it was deleted.
    pub fn item(&self) -> Option<&Arc<T>> {
        match self {
            Self::Added(item)
            | Self::Updated(item)
            | Self::Replaced(item)
            | Self::Sync(item)
            | Self::Deleted(item) => Some(item),
            Self::DeletedFinalStateUnknown(item) => item.as_ref(),
        }
    }

    /// Returns whether the item was deleted.
    pub fn is_deletion(&self) -> bool {
        matches!(self, Self::Deleted(_) | Self::DeletedFinalStateUnknown(_))
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Added(_) => "Added",
            Self::Updated(_) => "Updated",
            Self::Replaced(_) => "Replaced",
            Self::Sync(_) => "Sync",
            Self::Deleted(_) => "Deleted",
            Self::DeletedFinalStateUnknown(_) => "DeletedFinalStateUnknown",
        }
    }
}

impl<T> Clone for KeyedDelta<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Added(item) => Self::Added(item.clone()),
            Self::Updated(item) => Self::Updated(item.clone()),
            Self::Replaced(item) => Self::Replaced(item.clone()),
            Self::Sync(item) => Self::Sync(item.clone()),
            Self::Deleted(item) => Self::Deleted(item.clone()),
            Self::DeletedFinalStateUnknown(item) => Self::DeletedFinalStateUnknown(item.clone()),
        }
    }
}

/// Shows the kind of the change, not the item.
impl<T> fmt::Debug for KeyedDelta<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())
    }
}

impl<I: fmt::Debug, T> fmt::Debug for KeyedBatch<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedBatch")
            .field("key", &self.key)
            .field("deltas", &self.deltas)
            .field("is_initial", &self.is_initial)
            .finish()
    }
}

impl<I: Hash + Eq + Clone + Send + Sync, T: Send + Sync + 'static> HasSynced for KeyedDeltaFifo<I, T> {
    fn sync_name(&self) -> &str {
        &self.name
    }

    fn has_synced(&self) -> bool {
        Self::has_synced(self)
    }

    fn wait_synced(&self) -> BoxFuture<'_, bool> {
        Box::pin(self.synced())
    }
}

impl<I, T> Default for KeyedDeltaFifoOptions<I, T> {
    fn default() -> Self {
        Self { name: "delta fifo".into(), known: None, requeue: false }
    }
}

impl<I, T> fmt::Debug for KeyedDeltaFifoOptions<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedDeltaFifoOptions")
            .field("name", &self.name)
            .field("known", &self.known.is_some())
            .field("requeue", &self.requeue)
            .finish()
    }
}

impl<I: Hash + Eq + Clone, T: 'static> fmt::Debug for KeyedDeltaFifo<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedDeltaFifo")
            .field("name", &self.name)
            .field("len", &self.len())
            .field("has_synced", &self.has_synced())
            .field("closed", &self.is_closed())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    type Item = (u32, &'static str);
    type Queue = KeyedDeltaFifo<u32, Item>;

    fn key() -> KeyFunc<u32, Item> {
        Arc::new(|item| item.0)
    }

    fn shared(items: &[Item]) -> Vec<Arc<Item>> {
        items.iter().copied().map(Arc::new).collect()
    }

    fn text(batch: &KeyedBatch<u32, Item>) -> String {
        let delta =
            |delta: &KeyedDelta<Item>| format!("{delta:?} {}", delta.item().map_or("-", |item| item.1));
        format!("{}: {}", batch.key, batch.deltas.iter().map(delta).collect::<Vec<_>>().join(", "))
    }

    fn drain(queue: &Queue) -> Vec<String> {
        let mut popped = Vec::new();
        while !queue.is_empty() {
            queue.try_pop(|batch| {
                popped.push(text(batch));
                Ok::<_, Infallible>(())
            });
        }
        popped
    }

    #[test]
    fn t1_6_04_changes_of_one_key_come_together() {
        let queue = Queue::new(|item| item.0);
        queue.add((1, "a"));
        queue.add((2, "b"));
        queue.update((1, "c"));
        queue.delete((1, "c"));
        queue.delete((1, "d"));
        queue.delete((3, "unknown"));
        assert_eq!((queue.len(), queue.list_keys(), queue.list()), (2, vec![1, 2], shared(&[(2, "b")])));
        assert_eq!(queue.get(&1).len(), 3);
        assert!(queue.get(&9).is_empty());
        assert_eq!(drain(&queue), ["1: Added a, Updated c, Deleted c", "2: Added b"]);
    }

    #[test]
    fn t1_6_04_a_list_finds_what_is_missing() {
        let store = Arc::new(ThreadSafeStore::new());
        store.add(1, (1, "known"));
        store.add(2, (2, "known"));
        let queue = Queue::with_options(key(), KeyedDeltaFifoOptions::default().with_known(store.clone()));
        queue.add((3, "queued"));
        queue.replace(shared(&[(2, "listed"), (4, "listed")]));
        let expected = [
            "3: Added queued, DeletedFinalStateUnknown queued",
            "2: Replaced listed",
            "4: Replaced listed",
            "1: DeletedFinalStateUnknown known",
        ];
        assert_eq!(drain(&queue), expected);
        // The deletion itself tells more than a missing key.
        queue.replace([]);
        queue.delete((1, "last"));
        let mut popped = drain(&queue);
        popped.sort(); // Known items have no order.
        assert_eq!(popped, ["1: Deleted last", "2: DeletedFinalStateUnknown known"]);
    }

    #[test]
    fn t1_6_04_a_list_during_processing_counts_what_is_in_progress() {
        let queue = Queue::new(|item| item.0);
        queue.add((1, "a"));
        let mut seen = 0;
        queue.try_pop(|_| {
            queue.replace([]);
            seen += 1;
            Ok::<_, Infallible>(())
        });
        assert_eq!(seen, 1);
        assert_eq!(drain(&queue), ["1: DeletedFinalStateUnknown a"]);
        queue.replace([]);
        assert!(queue.is_empty(), "nothing is known any more");
    }

    #[test]
    fn t1_6_04_a_resync_hands_out_known_items_that_are_not_queued() {
        let store = Arc::new(ThreadSafeStore::new());
        store.add(1, (1, "known"));
        store.add(2, (2, "known"));
        let queue = Queue::with_options(key(), KeyedDeltaFifoOptions::default().with_known(store));
        queue.update((2, "new"));
        queue.resync();
        queue.resync();
        assert_eq!(drain(&queue), ["2: Updated new", "1: Sync known"]);
        let without = Queue::new(|item| item.0);
        without.resync();
        assert!(without.is_empty());
    }

    #[tokio::test]
    async fn t1_6_04_synced_after_the_first_list() {
        let queue = Queue::new(|item| item.0);
        queue.replace(shared(&[(1, "a"), (2, "b")]));
        queue.add((3, "later"));
        let mut initial = Vec::new();
        while !queue.is_empty() {
            assert_eq!(queue.has_synced(), initial.len() >= 2);
            queue
                .pop(|batch| {
                    initial.push(batch.is_initial);
                    Ok::<_, Infallible>(())
                })
                .await
                .unwrap();
        }
        assert_eq!(initial, [true, true, false]);
        assert!(queue.synced().await && HasSynced::wait_synced(&queue).await);
        queue.close();
        assert_eq!(queue.pop(|_| Ok::<_, Infallible>(())).await, Err(PopError::Closed));
    }

    #[test]
    fn t1_6_04_a_failed_batch_is_queued_before_newer_changes() {
        let queue = Queue::with_options(key(), KeyedDeltaFifoOptions::default().with_requeue(true));
        queue.add((1, "a"));
        queue.add((2, "b"));
        let outcome = queue.try_pop(|_| {
            queue.update((1, "newer"));
            Err("no")
        });
        assert_eq!(outcome, Some(Err(PopError::Process("no"))));
        assert_eq!(drain(&queue), ["2: Added b", "1: Added a, Updated newer"]);
    }
}
