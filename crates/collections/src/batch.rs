//! [`Batch`]: input changes that become one epoch.

use std::fmt;
use std::sync::Arc;

use crate::core::engine::Engine;
use crate::core::input::InputNode;
use crate::handles::Place;
use crate::{Input, Key};

/// Changes of inputs that become one epoch; see [`Graph::update`](crate::Graph::update). Of several changes of one
/// key the last counts.
pub struct Batch<'a> {
    pub(crate) engine: &'a mut Engine,
    pub(crate) graph: u64,
}

impl Batch<'_> {
    /// Sets the value of a key.
    pub fn insert<K: Key, V: Send + Sync + 'static>(
        &mut self,
        input: &Input<K, V>,
        key: K,
        value: impl Into<Arc<V>>,
    ) {
        let value = value.into();
        self.stage(input, |node| node.set(key, Some(value)));
    }

    /// Removes a key.
    pub fn remove<K: Key, V: Send + Sync + 'static>(&mut self, input: &Input<K, V>, key: &K) {
        self.stage(input, |node| node.set(key.clone(), None));
    }

    /// Replaces all entries: keys that are not named are gone.
    pub fn replace<K: Key, V: Send + Sync + 'static, W: Into<Arc<V>>>(
        &mut self,
        input: &Input<K, V>,
        entries: impl IntoIterator<Item = (K, W)>,
    ) {
        let entries = entries.into_iter().map(|(key, value)| (key, value.into())).collect();
        self.stage(input, |node| node.replace(entries));
    }

    fn stage<K: Key, V: Send + Sync + 'static>(
        &mut self,
        input: &Input<K, V>,
        with: impl FnOnce(&mut InputNode<K, V>),
    ) {
        assert!(input.handle().graph() == self.graph, "a batch can change only inputs of its own graph");
        stage(self.engine, input.handle().place(), with);
    }
}

/// Stages changes in an input's node, unless it has ended.
pub(crate) fn stage<K: Key, V: Send + Sync + 'static>(
    engine: &mut Engine,
    place: Place,
    with: impl FnOnce(&mut InputNode<K, V>),
) {
    if engine.nodes.entries.get(place.slot as usize).is_none_or(|entry| entry.order != place.order) {
        return;
    }
    let Some(node) = engine.nodes.node_mut(place.slot) else { return };
    with(node.as_any_mut().downcast_mut().expect("an input has the types of its node"));
    engine.schedule(place.slot);
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("graph", &self.graph).finish_non_exhaustive()
    }
}
