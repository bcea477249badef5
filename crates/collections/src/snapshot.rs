//! [`LiveSnapshot`]: all collections of a graph at one epoch.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::core::engine::Engine;
use crate::core::store::FrozenStore;
use crate::core::table::Frozen;
use crate::{Key, LiveIndex, LiveSet};

/// All collections of a graph at one epoch. Reads take no lock, and a clone copies nothing.
///
/// While it lives, later changes copy the parts of collections that they touch. Collections that were added after it
/// are empty in it.
///
/// ```
/// use client_rs_collections::Graph;
///
/// let graph = Graph::new();
/// let pods = graph.input::<&str, &str>("pods");
/// let by_node = graph.index(&pods, |_, node| [*node]);
/// graph.update(|batch| {
///     batch.insert(&pods, "web", "n1");
///     batch.insert(&pods, "db", "n1");
/// });
/// let before = graph.snapshot();
/// graph.update(|batch| batch.remove(&pods, &"db"));
/// assert_eq!((before.len(&pods), graph.snapshot().len(&pods)), (2, 1));
/// let names: Vec<_> = before.indexed(&by_node, &"n1").map(|(name, _)| *name).collect();
/// assert_eq!(names, ["db", "web"]);
/// ```
#[derive(Clone)]
pub struct LiveSnapshot {
    graph: u64,
    epoch: u64,
    /// By slot, each with the order of its node.
    stores: Arc<[Option<FrozenNode>]>,
}

/// The order of a node, and its store.
type FrozenNode = (u64, Arc<dyn Any + Send + Sync>);

impl LiveSnapshot {
    pub(crate) fn new(engine: &mut Engine, graph: u64) -> Self {
        let freeze = |entry: &mut crate::core::node::Entry| {
            entry.node.as_mut().map(|node| (entry.order, node.store_mut().freeze()))
        };
        Self { graph, epoch: engine.epoch, stores: engine.nodes.entries.iter_mut().map(freeze).collect() }
    }

    /// Returns the epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the value of a key.
    pub fn get<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>, key: &K) -> Option<Arc<V>> {
        self.store(set)?.table.get(key).cloned()
    }

    /// Returns the number of entries of a collection.
    pub fn len<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>) -> usize {
        self.store(set).map_or(0, |store| store.table.len())
    }

    /// Iterates over the entries of a collection, in no particular order.
    pub fn iter<K: Key, V: Send + Sync + 'static>(
        &self,
        set: &LiveSet<K, V>,
    ) -> impl Iterator<Item = (&K, &Arc<V>)> {
        let entries = self.store(set).map(|store| store.table.iter());
        entries.into_iter().flatten().map(|(_, key, value)| (key, value))
    }

    /// Iterates over the entries with a value of an index, in the order of their keys. An index that was added later is empty.
    pub fn indexed<K: Key, V: Send + Sync + 'static, I: Key>(
        &self,
        index: &LiveIndex<K, V, I>,
        value: &I,
    ) -> impl Iterator<Item = (&K, &Arc<V>)> {
        let store = self.store(&index.set);
        let found = store.and_then(|store| store.index(index.place()));
        let slots = found.and_then(|found| found.downcast_ref::<Frozen<I, Vec<u32>>>()?.get(value));
        let slots = slots.map_or(&[][..], |slots| &slots[..]);
        slots.iter().filter_map(move |slot| Some((store?.table.key(*slot), store?.table.value(*slot)?)))
    }

    fn store<K: Key, V: Send + Sync + 'static>(&self, set: &LiveSet<K, V>) -> Option<&FrozenStore<K, V>> {
        let handle = set.handle();
        assert!(handle.graph() == self.graph, "the collection belongs to another graph");
        let (order, store) = self.stores.get(handle.slot() as usize)?.as_ref()?;
        // Another collection may have had the slot before.
        (*order == handle.order()).then(|| store.downcast_ref())?
    }
}

impl fmt::Debug for LiveSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveSnapshot").field("epoch", &self.epoch).finish_non_exhaustive()
    }
}
