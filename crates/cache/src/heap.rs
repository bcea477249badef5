//! [`Heap`]: a queue of keyed items, the smallest first.

use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use client_rs_machinery::hash::HashMap;
use tokio::sync::Notify;

/// A priority queue of items with keys: it hands out the smallest item first, in an order of the caller's
/// choice.
///
/// For keys with retries and one worker per key, use a work queue instead.
///
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::Heap;
///
/// let heap = Heap::new(|job: &(&'static str, u32)| job.0, |a, b| a.1 < b.1);
/// heap.add_all([("slow", 9), ("fast", 1), ("slow", 5)])?;
/// assert_eq!(heap.len(), 2, "an item replaces the one with its key");
/// assert_eq!(heap.pop().await?, ("fast", 1));
/// assert_eq!(heap.pop().await?, ("slow", 5));
/// # Ok(())
/// # }
/// ```
///
/// Thread-safe. Only [`pop`](Self::pop) waits. Equal items come in any order. Adding, removing and popping take
/// logarithmic time.
pub struct Heap<I, T> {
    state: Mutex<State<I, T>>,
    key: Box<dyn Fn(&T) -> I + Send + Sync>,
    less: Box<Less<T>>,
    filled: Notify,
}

type Less<T> = dyn Fn(&T, &T) -> bool + Send + Sync;

/// The error of a closed heap: it accepts no items, and `pop` fails once it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the heap is closed")]
pub struct HeapClosed;

struct State<I, T> {
    /// A binary heap: no item is smaller than its parent.
    items: Vec<(I, T)>,
    places: HashMap<I, usize>,
    closed: bool,
}

impl<I: Hash + Eq + Clone, T> Heap<I, T> {
    /// Makes an empty heap. `key` returns the key of an item; `less` returns whether the first item comes before the second.
    pub fn new(
        key: impl Fn(&T) -> I + Send + Sync + 'static,
        less: impl Fn(&T, &T) -> bool + Send + Sync + 'static,
    ) -> Self {
        let state = State { items: Vec::new(), places: HashMap::default(), closed: false };
        Self { state: Mutex::new(state), key: Box::new(key), less: Box::new(less), filled: Notify::new() }
    }

    /// Adds an item, replacing one with the same key.
    pub fn add(&self, item: T) -> Result<(), HeapClosed> {
        self.add_all([item])
    }

    /// Adds several items like [`add`](Self::add), all before one is popped.
    pub fn add_all(&self, items: impl IntoIterator<Item = T>) -> Result<(), HeapClosed> {
        self.put(items, true)
    }

    /// Adds an item unless one with its key exists.
    /// ```
    /// # use client_rs_cache::Heap;
    /// let heap = Heap::new(|job: &(&'static str, u32)| job.0, |a, b| a.1 < b.1);
    /// heap.add(("web", 5))?;
    /// heap.add_if_absent(("web", 1))?;
    /// assert_eq!(heap.get(&"web"), Some(("web", 5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_if_absent(&self, item: T) -> Result<(), HeapClosed> {
        self.put([item], false)
    }

    /// Removes an item by its key and returns it.
    pub fn delete(&self, key: &I) -> Option<T> {
        self.with(|state| {
            let place = *state.places.get(key)?;
            Some(state.remove(place, &*self.less))
        })
    }

    /// Removes the smallest item; waits if the heap is empty.
    ///
    /// Cancel-safe: an item is removed only if it is returned.
    pub async fn pop(&self) -> Result<T, HeapClosed> {
        loop {
            let filled = self.filled.notified();
            let (item, left, closed) = self.with(|state| {
                let item = (!state.items.is_empty()).then(|| state.remove(0, &*self.less));
                (item, !state.items.is_empty(), state.closed)
            });
            if let Some(item) = item {
                if left {
                    // Others may wait, and one notification may stand for several items.
                    self.filled.notify_one();
                }
                return Ok(item);
            }
            if closed {
                return Err(HeapClosed);
            }
            filled.await;
        }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.with(|state| state.items.len())
    }

    /// Returns whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all keys, in no order.
    pub fn list_keys(&self) -> Vec<I> {
        self.with(|state| state.places.keys().cloned().collect())
    }

    /// Closes the heap: the remaining items still come out, then [`pop`](Self::pop) fails.
    pub fn close(&self) {
        self.with(|state| state.closed = true);
        self.filled.notify_waiters();
    }

    /// Returns whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.with(|state| state.closed)
    }

    fn put(&self, items: impl IntoIterator<Item = T>, replace: bool) -> Result<(), HeapClosed> {
        // User code runs before the lock is taken.
        let items: Vec<(I, T)> = items.into_iter().map(|item| ((self.key)(&item), item)).collect();
        self.with(|state| {
            if state.closed {
                return Err(HeapClosed);
            }
            for (key, item) in items {
                match state.places.get(&key).copied() {
                    Some(place) if replace => {
                        state.items[place].1 = item;
                        state.settle(place, &*self.less);
                    }
                    Some(_) => {}
                    None => {
                        let place = state.items.len();
                        state.places.insert(key.clone(), place);
                        state.items.push((key, item));
                        state.settle(place, &*self.less);
                    }
                }
            }
            Ok(())
        })?;
        self.filled.notify_one();
        Ok(())
    }

    fn with<R>(&self, f: impl FnOnce(&mut State<I, T>) -> R) -> R {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<I: Hash + Eq + Clone, T: Clone> Heap<I, T> {
    /// Returns a copy of the item with this key.
    pub fn get(&self, key: &I) -> Option<T> {
        self.with(|state| state.places.get(key).map(|place| state.items[*place].1.clone()))
    }

    /// Returns all items, in no order.
    pub fn list(&self) -> Vec<T> {
        self.with(|state| state.items.iter().map(|(_, item)| item.clone()).collect())
    }
}

impl<I: Hash + Eq + Clone, T> State<I, T> {
    fn remove(&mut self, place: usize, less: &dyn Fn(&T, &T) -> bool) -> T {
        let last = self.items.len() - 1;
        self.swap(place, last);
        let (key, item) = self.items.swap_remove(last);
        self.places.remove(&key);
        if place < self.items.len() {
            self.settle(place, less);
        }
        item
    }

    /// Moves an item up or down to its place.
    fn settle(&mut self, mut place: usize, less: &dyn Fn(&T, &T) -> bool) {
        while place > 0 && less(&self.items[place].1, &self.items[(place - 1) / 2].1) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        loop {
            let children =
                [2 * place + 1, 2 * place + 2].into_iter().filter(|child| *child < self.items.len());
            let least = children.reduce(|a, b| if less(&self.items[b].1, &self.items[a].1) { b } else { a });
            match least {
                Some(child) if less(&self.items[child].1, &self.items[place].1) => {
                    self.swap(place, child);
                    place = child;
                }
                _ => return,
            }
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a != b {
            self.items.swap(a, b);
            for place in [a, b] {
                if let Some(known) = self.places.get_mut(&self.items[place].0) {
                    *known = place;
                }
            }
        }
    }
}

impl<I, T> fmt::Debug for Heap<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Heap")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn heap() -> Heap<&'static str, (&'static str, i32)> {
        Heap::new(|item: &(&'static str, i32)| item.0, |a, b| a.1 < b.1)
    }

    async fn drain(heap: &Heap<&'static str, (&'static str, i32)>) -> Vec<i32> {
        heap.close();
        let mut values = Vec::new();
        while let Ok(item) = heap.pop().await {
            values.push(item.1);
        }
        values
    }

    #[tokio::test]
    async fn t1_7_02_add_and_bulk_and_update_and_delete() {
        let heap = heap();
        heap.add(("foo", 10)).unwrap();
        heap.add_all([("bar", 1), ("baz", 30), ("zab", 20)]).unwrap();
        heap.add(("foo", 13)).unwrap();
        heap.add_if_absent(("bar", 99)).unwrap();
        heap.add_if_absent(("new", 5)).unwrap();
        assert_eq!(
            (heap.get(&"foo"), heap.get(&"bar"), heap.get(&"none")),
            (Some(("foo", 13)), Some(("bar", 1)), None)
        );
        assert_eq!((heap.delete(&"zab"), heap.delete(&"zab")), (Some(("zab", 20)), None));
        let mut keys = heap.list_keys();
        keys.sort_unstable();
        assert_eq!((keys, heap.list().len(), heap.len()), (vec!["bar", "baz", "foo", "new"], 4, 4));
        assert_eq!(drain(&heap).await, [1, 5, 13, 30]);
        assert!(heap.is_empty());
    }

    #[tokio::test]
    async fn t1_7_02_a_closed_heap_accepts_nothing_and_empties() {
        let heap = Arc::new(heap());
        let blocked = tokio::spawn({
            let heap = heap.clone();
            async move { heap.pop().await }
        });
        tokio::task::yield_now().await;
        heap.add(("foo", 1)).unwrap();
        assert_eq!(blocked.await.unwrap(), Ok(("foo", 1)));
        let blocked = tokio::spawn({
            let heap = heap.clone();
            async move { heap.pop().await }
        });
        tokio::task::yield_now().await;
        heap.close();
        assert_eq!(blocked.await.unwrap(), Err(HeapClosed));
        assert_eq!((heap.add(("a", 1)), heap.add_if_absent(("a", 1))), (Err(HeapClosed), Err(HeapClosed)));
        assert!(heap.is_closed() && heap.pop().await.is_err());
    }

    #[tokio::test]
    async fn adding_several_items_wakes_all_waiters() {
        let heap = Arc::new(heap());
        let waiting: Vec<_> = (0..3)
            .map(|_| {
                let heap = heap.clone();
                tokio::spawn(async move { heap.pop().await.unwrap().1 })
            })
            .collect();
        tokio::task::yield_now().await;
        heap.add_all([("a", 1), ("b", 2), ("c", 3)]).unwrap();
        let mut values = Vec::new();
        for waiter in waiting {
            values.push(waiter.await.unwrap());
        }
        values.sort_unstable();
        assert_eq!(values, [1, 2, 3]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn comes_out_sorted(ops in prop::collection::vec((any::<bool>(), 0..20_u8, any::<i16>()), 0..100)) {
            let heap: Heap<u8, (u8, i16)> = Heap::new(|item: &(u8, i16)| item.0, |a, b| a.1 < b.1);
            let mut model = BTreeMap::new();
            for (add, key, value) in ops {
                if add {
                    heap.add((key, value)).unwrap();
                    model.insert(key, value);
                } else {
                    prop_assert_eq!(heap.delete(&key).map(|item| item.1), model.remove(&key));
                }
                prop_assert_eq!(heap.get(&key).map(|item| item.1), model.get(&key).copied());
            }
            let mut expected: Vec<i16> = model.into_values().collect();
            expected.sort_unstable();
            let mut popped = Vec::new();
            while !heap.is_empty() {
                popped.push(heap.with(|state| state.remove(0, &*heap.less)).1);
            }
            prop_assert_eq!(popped, expected);
        }
    }
}
