//! [`KeyedFifo`]: the newest state of each key, in the order of arrival.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use client_rs_machinery::Str;
use client_rs_machinery::hash::HashMap;

use super::KeyFunc;
use super::shell::{Core, Shell};
use crate::{BoxFuture, HasSynced, PopError};

client_rs_machinery::options! {
    /// The options of a [`KeyedFifo`].
    #[derive(Debug)]
    pub struct KeyedFifoOptions {
        /// The name in the error of [`wait_for_cache_sync`](crate::wait_for_cache_sync). Default: `fifo`.
        pub name: Str => with_name,
        /// Whether an item on which processing fails is queued again, unless a newer state of it is queued. Default: false.
        pub requeue: bool => with_requeue,
    }
}

/// A queue of items of any type that hands out the newest state of each key once, with the keys in the order of their
/// arrival: client-go's `FIFO`.
///
/// For Kubernetes objects use [`Fifo`](crate::Fifo), for keys with retries and one worker per key a work queue.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::keyed::KeyedFifo;
///
/// let queue = KeyedFifo::new(|price: &(&'static str, u32)| price.0);
/// queue.add(("bread", 2));
/// queue.add(("milk", 1));
/// queue.update(("bread", 3));
/// assert_eq!(queue.len(), 2);
/// queue.pop(|price| Ok::<(), std::convert::Infallible>(assert_eq!(**price, ("bread", 3)))).await?;
/// # Ok(())
/// # }
/// ```
///
/// - **Order**: a key keeps its place until it is handed out, also if its item changes, or is deleted and added again.
/// - **Blocking**: only [`pop`](Self::pop) and [`synced`](Self::synced) wait.
/// - **Memory**: one item per queued key. Nothing limits the number of keys.
/// - **Close**: queued items are still handed out; then [`pop`](Self::pop) returns [`PopError::Closed`].
pub struct KeyedFifo<I, T> {
    shell: Shell<Latest<I, T>>,
    key: KeyFunc<I, T>,
    name: Str,
}

struct Latest<I, T> {
    queue: VecDeque<I>,
    /// The item of every queued key; `None` if it was deleted, and then the key is skipped.
    items: HashMap<I, Option<Arc<T>>>,
    /// The number of items that are not `None`.
    len: usize,
    /// The number of batches in progress.
    taken: usize,
    key: KeyFunc<I, T>,
    requeue: bool,
    populated: bool,
    /// The entries of the first list that are not processed yet.
    initial: usize,
}

impl<I: Hash + Eq + Clone, T> KeyedFifo<I, T> {
    /// Makes an empty queue with a key function.
    pub fn new(key: impl Fn(&T) -> I + Send + Sync + 'static) -> Self {
        Self::with_options(Arc::new(key), KeyedFifoOptions::default())
    }

    /// Makes an empty queue like [`new`](Self::new), with options.
    pub fn with_options(key: KeyFunc<I, T>, options: KeyedFifoOptions) -> Self {
        let core = Latest {
            queue: VecDeque::new(),
            items: HashMap::default(),
            len: 0,
            taken: 0,
            key: key.clone(),
            requeue: options.requeue,
            populated: false,
            initial: 0,
        };
        Self { shell: Shell::new(core), key, name: options.name }
    }

    /// Queues an item. If its key is queued already, the item replaces the queued one in its place.
    pub fn add(&self, item: impl Into<Arc<T>>) {
        let item = item.into();
        let key = (self.key)(&item);
        self.shell.put(|core| core.put(key, item, true));
    }

    /// The same as [`add`](Self::add).
    pub fn update(&self, item: impl Into<Arc<T>>) {
        self.add(item);
    }

    /// Queues an item unless its key is queued.
    pub fn add_if_absent(&self, item: impl Into<Arc<T>>) {
        let item = item.into();
        let key = (self.key)(&item);
        self.shell.put(|core| core.put(key, item, false));
    }

    /// Removes the queued item with the key of this one, and returns it.
    pub fn delete(&self, item: &T) -> Option<Arc<T>> {
        let key = (self.key)(item);
        self.shell.put(|core| core.delete(&key))
    }

    /// Replaces everything that is queued. The first call defines what [`has_synced`](Self::has_synced) waits for.
    pub fn replace(&self, items: impl IntoIterator<Item = Arc<T>>) {
        let items: Vec<_> = items.into_iter().map(|item| ((self.key)(&item), item)).collect();
        let old = self.shell.put(|core| core.replace(items));
        drop(old);
    }

    /// Returns the queued items, in the order in which they come out.
    pub fn list(&self) -> Vec<Arc<T>> {
        let queued = |core: &Latest<I, T>| {
            let items = core.queue.iter().filter_map(|key| core.items.get(key)?.clone());
            items.collect()
        };
        self.shell.look(queued)
    }

    /// Returns the queued keys, in the order in which they come out.
    pub fn list_keys(&self) -> Vec<I> {
        let queued = |core: &Latest<I, T>| {
            let is_item = |key: &&I| core.items.get(*key).is_some_and(Option::is_some);
            core.queue.iter().filter(is_item).cloned().collect()
        };
        self.shell.look(queued)
    }

    /// Returns a queued item.
    pub fn get(&self, key: &I) -> Option<Arc<T>> {
        self.shell.look(|core| core.items.get(key).cloned().flatten())
    }

    /// Returns the number of queued items.
    pub fn len(&self) -> usize {
        self.shell.look(Core::len)
    }

    /// Returns whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits for an item, removes it and processes it. No lock is held during `process`, so it may use the queue.
    ///
    /// Several tasks may pop at the same time. Cancel-safe: no item is removed before the call of `process`.
    pub async fn pop<E>(&self, process: impl FnMut(&Arc<T>) -> Result<(), E>) -> Result<(), PopError<E>> {
        self.shell.pop(process).await
    }

    /// Does the work of [`pop`](Self::pop) without waiting; `None` if the queue is empty and open.
    pub fn try_pop<E>(
        &self,
        process: impl FnOnce(&Arc<T>) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>> {
        self.shell.try_pop(process)
    }

    /// Returns whether every item of the first [`replace`](Self::replace) was processed, replaced or deleted. A queue that is filled
    /// without a list counts as synced.
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
}

impl<I: Hash + Eq + Clone, T> Latest<I, T> {
    fn put(&mut self, key: I, item: Arc<T>, replace: bool) {
        self.populated = true;
        match self.items.get_mut(&key) {
            Some(Some(queued)) if replace => *queued = item,
            Some(Some(_)) => {}
            Some(deleted) => {
                *deleted = Some(item);
                self.len += 1;
            }
            None => {
                self.queue.push_back(key.clone());
                self.items.insert(key, Some(item));
                self.len += 1;
            }
        }
    }

    fn delete(&mut self, key: &I) -> Option<Arc<T>> {
        self.populated = true;
        let item = self.items.get_mut(key)?.take()?;
        self.len -= 1;
        Some(item)
    }

    /// Returns the old items, to drop them outside of the lock.
    fn replace(&mut self, items: Vec<(I, Arc<T>)>) -> HashMap<I, Option<Arc<T>>> {
        let old = std::mem::take(&mut self.items);
        self.queue.clear();
        for (key, item) in items {
            if self.items.insert(key.clone(), Some(item)).is_none() {
                self.queue.push_back(key);
            }
        }
        self.len = self.queue.len();
        // Entries that a second list replaces will not be processed, so the sync does not wait for them.
        let left = self.taken + self.queue.len();
        if !self.populated || left < self.initial {
            self.initial = left;
        }
        self.populated = true;
        old
    }
}

impl<I: Hash + Eq + Clone, T> Core for Latest<I, T> {
    type Batch = Arc<T>;

    fn take(&mut self) -> Option<Arc<T>> {
        loop {
            let key = self.queue.pop_front()?;
            if let Some(item) = self.items.remove(&key).flatten() {
                self.len -= 1;
                self.taken += 1;
                return Some(item);
            }
            self.initial = self.initial.saturating_sub(1);
        }
    }

    fn done(&mut self, failed: Option<Arc<T>>) {
        self.taken -= 1;
        self.initial = self.initial.saturating_sub(1);
        if let Some(item) = failed.filter(|_| self.requeue) {
            self.put((self.key)(&item), item, false);
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn has_synced(&self) -> bool {
        self.populated && self.initial == 0
    }

    fn is_idle(&self) -> bool {
        self.len == 0 && self.taken == 0
    }
}

impl<I: Hash + Eq + Clone + Send, T: Send + Sync> HasSynced for KeyedFifo<I, T> {
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

impl Default for KeyedFifoOptions {
    fn default() -> Self {
        Self { name: "fifo".into(), requeue: false }
    }
}

impl<I: Hash + Eq + Clone, T> fmt::Debug for KeyedFifo<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedFifo")
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
    use crate::{CancellationToken, wait_for_cache_sync};

    type Price = (&'static str, u32);

    fn fifo() -> KeyedFifo<&'static str, Price> {
        KeyedFifo::new(|price: &Price| price.0)
    }

    fn shared(prices: &[Price]) -> Vec<Arc<Price>> {
        prices.iter().copied().map(Arc::new).collect()
    }

    /// Pops everything that is queued.
    fn drain(queue: &KeyedFifo<&'static str, Price>) -> Vec<Price> {
        let mut popped = Vec::new();
        while !queue.is_empty() {
            queue.try_pop(|price| {
                popped.push(**price);
                Ok::<_, Infallible>(())
            });
        }
        popped
    }

    #[test]
    fn t1_7_05_newest_state_in_the_order_of_arrival() {
        let queue = fifo();
        for price in [("a", 1), ("b", 2), ("a", 3), ("c", 4)] {
            queue.add(price);
        }
        queue.add_if_absent(("b", 9));
        assert_eq!(queue.delete(&("c", 0)).as_deref(), Some(&("c", 4)));
        assert!(queue.delete(&("c", 0)).is_none());
        assert_eq!((queue.len(), queue.list_keys()), (2, vec!["a", "b"]));
        assert_eq!(queue.list(), shared(&[("a", 3), ("b", 2)]));
        queue.add_if_absent(("c", 5));
        assert_eq!((queue.get(&"c").as_deref(), queue.get(&"d")), (Some(&("c", 5)), None));
        assert_eq!(drain(&queue), [("a", 3), ("b", 2), ("c", 5)]);
        assert!(queue.try_pop(|_| Ok::<_, Infallible>(())).is_none(), "open and empty");
    }

    #[tokio::test]
    async fn t1_7_05_synced_after_the_first_list_was_processed() {
        let queue = fifo();
        assert!(!queue.has_synced());
        queue.replace(shared(&[("a", 1), ("b", 2), ("c", 3)]));
        queue.delete(&("b", 0));
        for left in [true, false] {
            let synced = || HasSynced::has_synced(&queue);
            let popped = queue.try_pop(|_| {
                let _: () = assert!(!synced(), "not before the last is processed");
                Ok::<_, Infallible>(())
            });
            assert_eq!((popped, queue.has_synced()), (Some(Ok(())), !left));
        }
        wait_for_cache_sync(&CancellationToken::new(), [&queue as &dyn HasSynced]).await.unwrap();
        // A second list does not undo the sync.
        queue.replace(shared(&[("d", 1)]));
        assert!(queue.has_synced());
        let empty = fifo();
        empty.replace([]);
        assert!(empty.has_synced());
        // Closed before its first list: it never syncs, and nobody waits for it.
        let closed = fifo();
        let (synced, ()) = tokio::join!(closed.synced(), async { closed.close() });
        assert!(!synced && closed.is_closed());
    }

    #[test]
    fn t1_7_05_a_failed_item_is_queued_again_only_if_wanted() {
        for requeue in [false, true] {
            let options = KeyedFifoOptions::default().with_requeue(requeue);
            let queue = KeyedFifo::with_options(Arc::new(|price: &Price| price.0), options);
            queue.add(("a", 1));
            queue.add(("b", 2));
            assert_eq!(queue.try_pop(|_| Err("no")), Some(Err(PopError::Process("no"))));
            assert_eq!(queue.list_keys(), if requeue { vec!["b", "a"] } else { vec!["b"] });
            // A newer state wins over the failed one.
            queue.try_pop(|_| {
                queue.add(("b", 3));
                Err("no")
            });
            assert_eq!(queue.get(&"b").as_deref(), Some(&("b", 3)));
        }
    }

    #[tokio::test]
    async fn close_ends_blocked_pops_and_queued_items_still_come_out() {
        let queue = Arc::new(fifo());
        let tasks: Vec<_> = (0..2)
            .map(|_| {
                let queue = queue.clone();
                tokio::spawn(async move { queue.pop(|_| Ok::<_, Infallible>(())).await })
            })
            .collect();
        tokio::task::yield_now().await;
        queue.add(("a", 1));
        queue.close();
        let mut outcomes = Vec::new();
        for task in tasks {
            outcomes.push(task.await.unwrap().is_ok());
        }
        outcomes.sort_unstable();
        assert_eq!(outcomes, [false, true], "one got the item");
    }

    #[test]
    fn a_panic_of_the_consumer_counts_as_processed() {
        let queue = fifo();
        queue.replace(shared(&[("a", 1)]));
        let process = |_: &Arc<Price>| -> Result<(), Infallible> { panic!("requested by the test") };
        let popped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| queue.try_pop(process)));
        assert!(popped.is_err() && queue.has_synced() && queue.is_empty());
    }
}
