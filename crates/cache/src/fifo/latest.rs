//! [`Fifo`]: the newest state of each key.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::hash::HashMap;
use client_rs_machinery::{Object, ObjectKey, Str};

use super::initial_list::InitialList;
use super::queue::{Batch, PopError, Queue};
use super::queue_core::QueueCore;
use super::shell::{Shell, queue};
use crate::store::Stored;
use crate::{Bookmark, Coverage, Delta, Replacement, Transform, TransformError};

client_rs_machinery::options! {
    /// The options of a [`Fifo`].
    #[derive(Debug)]
    pub struct FifoOptions<K> {
        /// Applied to every object before it is queued. Default: unset.
        pub transform: Option<Transform<K>> => with_transform,
    }
}

/// Hands out the newest state of each key once, as [`Delta::Updated`], with the keys in the order of their
/// arrival.
///
/// Use it for consumers that need to see each object and not its history: intermediate states are lost, and so
/// is an object that is deleted before it is handed out. A new list replaces everything that is queued.
/// Bookmarks, resyncs and stale marks are not queued. A cache needs [`InOrderFifo`](crate::InOrderFifo)
/// instead.
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
/// use client_rs_cache::{Fifo, FifoOptions, Queue};
///
/// let queue = Fifo::new(FifoOptions::default());
/// queue.add(pod("web", 1))?;
/// queue.update(pod("web", 2))?;
/// let mut popped = Vec::new();
/// queue.pop(|batch| {
///     popped.extend(batch.deltas.drain(..).map(|delta| format!("{delta:?}")));
///     Ok::<(), std::convert::Infallible>(())
/// })
/// .await?;
/// assert_eq!(popped, ["Updated(default/web@2)"]);
/// # Ok(())
/// # }
/// ```
pub struct Fifo<K> {
    shell: Shell<K, Latest<K>>,
}

impl<K: Object> Fifo<K> {
    /// Makes an empty queue.
    pub fn new(options: FifoOptions<K>) -> Self {
        let core = Latest {
            queue: VecDeque::new(),
            objects: HashMap::default(),
            len: 0,
            taken: 0,
            initial_list: InitialList::new(1),
        };
        Self { shell: Shell::new(core, options.transform) }
    }

    /// Returns the queued objects, in the order in which they come out.
    pub fn list(&self) -> Vec<Arc<K>> {
        self.shell.with(|state| {
            let Latest { queue, objects, .. } = &state.core;
            queue.iter().filter_map(|key| objects.get(key)?.clone()).collect()
        })
    }

    /// Returns the keys of the queued objects, in the order in which they come out.
    pub fn list_keys(&self) -> Vec<ObjectKey> {
        self.list().iter().map(|object| object.key()).collect()
    }

    /// Returns a queued object.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.shell.with(|state| state.core.objects.get(key).cloned().flatten())
    }
}

queue!(Fifo);

impl<K> Default for FifoOptions<K> {
    fn default() -> Self {
        Self { transform: None }
    }
}

struct Latest<K> {
    queue: VecDeque<ObjectKey>,
    /// The state of every queued key; `None` if the object was deleted, and then it is skipped.
    objects: HashMap<ObjectKey, Option<Arc<K>>>,
    /// The number of states that are not `None`.
    len: usize,
    /// The number of entries in progress: one or zero.
    taken: usize,
    initial_list: InitialList,
}

impl<K: Object> QueueCore<K> for Latest<K> {
    fn event(&mut self, delta: Delta<K>) {
        let Some(key) = delta.key() else { return };
        if matches!(delta, Delta::Stale { .. }) {
            return;
        }
        let object = if matches!(delta, Delta::Deleted(_)) { None } else { delta.object().cloned() };
        match self.objects.get_mut(&key) {
            Some(queued) => {
                self.len = self.len + usize::from(object.is_some()) - usize::from(queued.is_some());
                *queued = object;
            }
            None if object.is_some() => {
                self.queue.push_back(key.clone());
                self.objects.insert(key, object);
                self.len += 1;
            }
            None => {}
        }
        self.initial_list.touch();
    }

    fn replace(&mut self, list: Replacement<K>) {
        let first = self.initial_list.is_first(&list.coverage);
        let coverage = list.coverage;
        self.objects.retain(|key, _| !coverage.contains(&key.namespace));
        self.queue.retain(|key| !coverage.contains(&key.namespace));
        for object in list.objects.iter().filter_map(Stored::object) {
            let key = object.key();
            if self.objects.insert(key.clone(), Some(object)).is_none() {
                self.queue.push_back(key);
            }
        }
        self.len = self.objects.values().flatten().count();
        // Entries that a second list replaces will not be processed, so the sync does not wait for them.
        let left = self.taken + self.queue.len();
        if first || left < self.initial_list.left() {
            self.initial_list.wait_for(left);
        }
    }

    fn resync(&mut self, _coverage: Coverage) {}

    fn bookmark(&mut self, _bookmark: Bookmark) {}

    fn take(&mut self) -> Option<Batch<K>> {
        let is_initial = !self.initial_list.has_synced();
        loop {
            let key = self.queue.pop_front()?;
            if let Some(object) = self.objects.remove(&key).flatten() {
                self.len -= 1;
                self.taken = 1;
                return Some(Batch { deltas: vec![Delta::Updated(object)], is_initial });
            }
            self.initial_list.done(1);
        }
    }

    fn done(&mut self, _left: Vec<Delta<K>>) {
        self.taken = 0;
        self.initial_list.done(1);
    }

    fn len(&self) -> usize {
        self.len
    }

    fn is_idle(&self) -> bool {
        self.len == 0 && self.taken == 0
    }

    fn has_synced(&self) -> bool {
        self.initial_list.has_synced()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::fifo::testing::{drain_flat, list, pop, valued};
    use crate::testing::Thing;

    fn fifo() -> Fifo<Thing> {
        Fifo::new(FifoOptions::default())
    }

    #[test]
    fn t1_7_01_basics() {
        let queue = fifo();
        for (name, value) in [("foo", 1), ("bar", 2), ("baz", 3)] {
            queue.add(valued(name, value)).unwrap();
        }
        assert_eq!(queue.len(), 3);
        let keys = ["foo", "bar", "baz"].map(ObjectKey::cluster);
        assert_eq!((queue.list().len(), queue.list_keys()), (3, keys.to_vec()));
        assert_eq!(
            (queue.get(&keys[1]).map(|object| object.value), queue.get(&"x".parse().unwrap())),
            (Some(2), None)
        );
        assert_eq!(drain_flat(&queue), ["Updated foo 1", "Updated bar 2", "Updated baz 3"]);
        assert!(queue.list().is_empty());
        assert!(pop(&queue).is_none());
    }

    #[test]
    fn t1_7_01_an_update_replaces_the_queued_state() {
        let queue = fifo();
        queue.add(valued("foo", 10)).unwrap();
        queue.update(valued("foo", 15)).unwrap();
        assert_eq!(drain_flat(&queue), ["Updated foo 15"]);
        queue.add(valued("foo", 16)).unwrap();
        queue.add(valued("bar", 1)).unwrap();
        queue.delete(valued("foo", 16)).unwrap();
        assert_eq!(drain_flat(&queue), ["Updated bar 1"], "a deleted object is skipped");
    }

    #[test]
    fn t1_7_01_a_deleted_key_that_comes_back_keeps_its_place() {
        let queue = fifo();
        queue.add(valued("foo", 1)).unwrap();
        queue.add(valued("bar", 2)).unwrap();
        queue.delete(valued("foo", 1)).unwrap();
        queue.add(valued("foo", 3)).unwrap();
        assert_eq!(drain_flat(&queue), ["Updated foo 3", "Updated bar 2"]);
    }

    #[test]
    fn t1_7_01_a_list_replaces_everything() {
        let queue = fifo();
        queue.add(valued("foo", 10)).unwrap();
        queue.replace(list(&[("foo", 15), ("bar", 1)]));
        assert_eq!(drain_flat(&queue), ["Updated foo 15", "Updated bar 1"]);
    }

    #[test]
    fn t1_7_01_an_update_does_not_overtake() {
        let queue = fifo();
        for (name, value) in [("foo", 10), ("bar", 1), ("foo", 11), ("foo", 13), ("zab", 30)] {
            queue.add(valued(name, value)).unwrap();
        }
        assert_eq!(pop(&queue).unwrap().0, ["Updated foo 13"]);
        queue.add(valued("foo", 14)).unwrap();
        assert_eq!(drain_flat(&queue), ["Updated bar 1", "Updated zab 30", "Updated foo 14"]);
    }

    #[test]
    fn t1_7_01_has_synced() {
        let queue = fifo();
        assert!(!queue.has_synced());
        queue.replace(list(&[("a", 1), ("b", 2)]));
        assert!(!queue.has_synced());
        assert!(pop(&queue).unwrap().1);
        queue.delete(valued("b", 2)).unwrap();
        assert!(pop(&queue).is_none());
        assert!(queue.has_synced(), "a deleted object counts as processed");
        let queue = fifo();
        queue.replace(list(&[]));
        assert!(queue.has_synced());
        let queue = fifo();
        queue.add(valued("a", 1)).unwrap();
        assert!(queue.has_synced());
    }

    #[test]
    fn the_sync_does_not_wait_for_entries_that_a_second_list_replaced() {
        let queue = fifo();
        queue.replace(list(&[("a", 1), ("b", 2), ("c", 3)]));
        assert!(pop(&queue).unwrap().1);
        queue.replace(list(&[("d", 4)]));
        assert!(!queue.has_synced());
        assert_eq!(pop(&queue).unwrap().0, ["Updated d 4"]);
        assert!(queue.has_synced(), "b and c will not be processed");
    }

    #[tokio::test]
    async fn t1_7_01_close_ends_a_blocked_pop() {
        let queue = Arc::new(fifo());
        let blocked = tokio::spawn({
            let queue = queue.clone();
            async move { queue.pop::<Infallible>(|_| Ok(())).await }
        });
        tokio::task::yield_now().await;
        queue.close();
        assert_eq!(blocked.await.unwrap(), Err(PopError::Closed));
    }
}
