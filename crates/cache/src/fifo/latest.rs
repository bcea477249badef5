//! [`Fifo`]: the newest state of each key.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use client_rs_machinery::{Object, ObjectKey, Str};
use hashbrown::HashMap;

use super::initial_list::InitialList;
use super::queue::{Batch, PopError, Queue};
use super::queue_core::QueueCore;
use super::shell::{Shell, queue};
use crate::store::Stored;
use crate::{Bookmark, Coverage, Delta, Replacement, Transform, TransformError};

client_rs_machinery::options! {
    /// How a queue of newest states is made.
    #[derive(Debug)]
    pub struct FifoOptions<K> {
        /// What every object passes before it is queued. Defaults to nothing.
        pub transform: Option<Transform<K>> => with_transform,
    }
}

/// Hands out the newest state of each key, once, as [`Delta::Updated`], keys in the order in which they came.
///
/// For consumers that want to see each object and do not care for what happened to it: states in between are lost, and so
/// is an object that is deleted before its turn. A new list takes the place of everything that is queued. Bookmarks,
/// resyncs and stale marks are not queued.
pub struct Fifo<K> {
    shell: Shell<K, Latest<K>>,
}

impl<K: Object> Fifo<K> {
    /// An empty queue.
    pub fn new(options: FifoOptions<K>) -> Self {
        let core = Latest {
            queue: VecDeque::new(),
            objects: HashMap::new(),
            len: 0,
            taken: 0,
            initial_list: InitialList::new(1),
        };
        Self { shell: Shell::new(core, options.transform) }
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
    /// Of every queued key; nothing where the object was deleted, which is then passed over.
    objects: HashMap<ObjectKey, Option<Arc<K>>>,
    /// How many of them are something.
    len: usize,
    /// How many were taken out and are being processed: one or none.
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
        // What a second list takes the place of will not be processed: nobody waits for it.
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
        assert_eq!(drain_flat(&queue), ["Updated foo 1", "Updated bar 2", "Updated baz 3"]);
        assert!(pop(&queue).is_none());
    }

    #[test]
    fn t1_7_01_an_update_takes_the_place_of_what_is_queued() {
        let queue = fifo();
        queue.add(valued("foo", 10)).unwrap();
        queue.update(valued("foo", 15)).unwrap();
        assert_eq!(drain_flat(&queue), ["Updated foo 15"]);
        queue.add(valued("foo", 16)).unwrap();
        queue.add(valued("bar", 1)).unwrap();
        queue.delete(valued("foo", 16)).unwrap();
        assert_eq!(drain_flat(&queue), ["Updated bar 1"], "what is deleted is passed over");
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
    fn t1_7_01_a_list_takes_the_place_of_all() {
        let queue = fifo();
        queue.add(valued("foo", 10)).unwrap();
        queue.replace(list(&[("foo", 15), ("bar", 1)]));
        assert_eq!(drain_flat(&queue), ["Updated foo 15", "Updated bar 1"]);
    }

    #[test]
    fn t1_7_01_no_line_jumpers() {
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
        assert!(queue.has_synced(), "what was deleted counts as processed");
        let queue = fifo();
        queue.replace(list(&[]));
        assert!(queue.has_synced());
        let queue = fifo();
        queue.add(valued("a", 1)).unwrap();
        assert!(queue.has_synced());
    }

    #[test]
    fn a_second_list_before_the_first_is_processed_takes_its_place_in_what_is_waited_for() {
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
