//! Handles of collections and indexes. A collection ends with its last handle.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::sync::{AtomicBool, Mutex};

/// A collection: keys with values, kept up to date by its [`Graph`](crate::Graph).
///
/// It is a handle: clones are the same collection. Functions that read a collection hold a clone of its handle, so a
/// collection lives while another is derived from it. When the last handle is dropped, the collection ends, and the
/// graph frees all of it with its next step.
///
/// ```
/// use client_rs_collections::Graph;
///
/// let graph = Graph::new();
/// let numbers = graph.constant("numbers", [(1, 10), (2, 20)]);
/// let doubles = graph.map("doubles", &numbers, |_, value, _| 2 * **value);
/// drop(numbers);
/// assert_eq!(graph.state().collections.len(), 2, "`doubles` still needs `numbers`");
/// drop(doubles);
/// assert_eq!(graph.state().collections.len(), 0);
/// ```
pub struct LiveSet<K, V> {
    handle: Arc<Handle>,
    types: PhantomData<fn() -> (K, V)>,
}

/// An index of a collection: entries by the values that a function returned for them. See
/// [`Graph::index`](crate::Graph::index).
///
/// It is a handle, and keeps its collection.
pub struct LiveIndex<K, V, I> {
    // Ends before its collection.
    index: Arc<IndexHandle>,
    pub(crate) set: LiveSet<K, V>,
    types: PhantomData<fn() -> I>,
}

/// The entries of a collection by their labels, read by selector. See
/// [`Graph::index_labels`](crate::Graph::index_labels).
pub struct ByLabels<K, V> {
    index: Arc<IndexHandle>,
    pub(crate) set: LiveSet<K, V>,
}

/// The entries of a collection by their label selector, read by labels. See
/// [`Graph::index_selectors`](crate::Graph::index_selectors).
pub struct BySelector<K, V> {
    index: Arc<IndexHandle>,
    pub(crate) set: LiveSet<K, V>,
}

/// A place in a graph that ends with the last clone of its handle.
#[derive(Debug)]
pub(crate) struct Handle {
    place: Place,
    graph: u64,
    garbage: Arc<Garbage>,
}

#[derive(Debug)]
struct IndexHandle {
    place: Place,
    index: IndexPlace,
    garbage: Arc<Garbage>,
}

/// A node: its slot, which may be used again, and its order, which may not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) slot: u32,
    pub(crate) order: u64,
}

/// An index of a node: its number, which may be used again, and its order, which may not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexPlace {
    pub(crate) number: u16,
    pub(crate) order: u64,
}

/// The handles that have ended since the graph last looked.
#[derive(Debug, Default)]
pub(crate) struct Garbage {
    ended: Mutex<Vec<Ended>>,
    /// Whether `ended` has something.
    any: AtomicBool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ended {
    Node(Place),
    Index(Place, u16),
    Observer(Place, u64),
}

impl Garbage {
    pub(crate) fn push(&self, ended: Ended) {
        let mut all = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(ended);
        self.any.store(true, Ordering::Release);
    }

    pub(crate) fn take(&self) -> Vec<Ended> {
        if !self.any.load(Ordering::Acquire) {
            return Vec::new();
        }
        let mut all = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        self.any.store(false, Ordering::Release);
        std::mem::take(&mut *all)
    }
}

impl Handle {
    pub(crate) fn new(place: Place, graph: u64, garbage: Arc<Garbage>) -> Self {
        Self { place, graph, garbage }
    }

    pub(crate) fn slot(&self) -> u32 {
        self.place.slot
    }

    pub(crate) fn order(&self) -> u64 {
        self.place.order
    }

    pub(crate) fn graph(&self) -> u64 {
        self.graph
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    fn index(&self, index: IndexPlace) -> Arc<IndexHandle> {
        Arc::new(IndexHandle { place: self.place, index, garbage: self.garbage.clone() })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.garbage.push(Ended::Node(self.place));
    }
}

impl Drop for IndexHandle {
    fn drop(&mut self) {
        self.garbage.push(Ended::Index(self.place, self.index.number));
    }
}

impl<K, V> LiveSet<K, V> {
    pub(crate) fn new(handle: Handle) -> Self {
        Self { handle: Arc::new(handle), types: PhantomData }
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl<K, V, I> LiveIndex<K, V, I> {
    pub(crate) fn new(set: LiveSet<K, V>, index: IndexPlace) -> Self {
        Self { index: set.handle().index(index), set, types: PhantomData }
    }

    pub(crate) fn place(&self) -> IndexPlace {
        self.index.index
    }

    pub(crate) fn number(&self) -> u16 {
        self.index.index.number
    }
}

impl<K, V> ByLabels<K, V> {
    pub(crate) fn new(set: LiveSet<K, V>, index: IndexPlace) -> Self {
        Self { index: set.handle().index(index), set }
    }

    pub(crate) fn number(&self) -> u16 {
        self.index.index.number
    }
}

impl<K, V> BySelector<K, V> {
    pub(crate) fn new(set: LiveSet<K, V>, index: IndexPlace) -> Self {
        Self { index: set.handle().index(index), set }
    }

    pub(crate) fn number(&self) -> u16 {
        self.index.index.number
    }
}

impl<K, V> Clone for LiveSet<K, V> {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone(), types: PhantomData }
    }
}

impl<K, V, I> Clone for LiveIndex<K, V, I> {
    fn clone(&self) -> Self {
        Self { index: self.index.clone(), set: self.set.clone(), types: PhantomData }
    }
}

impl<K, V> Clone for ByLabels<K, V> {
    fn clone(&self) -> Self {
        Self { index: self.index.clone(), set: self.set.clone() }
    }
}

impl<K, V> Clone for BySelector<K, V> {
    fn clone(&self) -> Self {
        Self { index: self.index.clone(), set: self.set.clone() }
    }
}

impl<K, V> fmt::Debug for LiveSet<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LiveSet").field(&self.handle.place.order).finish()
    }
}

impl<K, V, I> fmt::Debug for LiveIndex<K, V, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LiveIndex").field(&self.set.handle.place.order).field(&self.index.index.order).finish()
    }
}

impl<K, V> fmt::Debug for ByLabels<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ByLabels").field(&self.set.handle.place.order).field(&self.index.index.order).finish()
    }
}

impl<K, V> fmt::Debug for BySelector<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BySelector")
            .field(&self.set.handle.place.order)
            .field(&self.index.index.order)
            .finish()
    }
}
