//! [`Observer`]: the changes of a collection, one epoch after the other.

use std::fmt;
use std::sync::Arc;

use crate::core::engine::Engine;
use crate::core::look::check_outside;
use crate::handles::Ended;
use crate::signal::Signal;
use crate::{Changes, Graph, Key, LiveSet, LiveSnapshot};

/// The changes of a collection, one epoch after the other. It keeps its collection and its graph.
///
/// An observer that lags gets several epochs merged into one: one change per key, whose `old` is the value that the
/// observer last saw. Keys that have that value again are left out.
///
/// ```
/// use client_rs_collections::Graph;
///
/// let graph = Graph::new();
/// let numbers = graph.input::<&str, u32>("numbers");
/// graph.update(|batch| batch.insert(&numbers, "a", 1));
/// let mut observer = graph.observe(&numbers);
/// assert_eq!(observer.take().unwrap().list.len(), 1, "first all that exists");
///
/// graph.update(|batch| batch.insert(&numbers, "a", 2));
/// graph.update(|batch| batch.insert(&numbers, "a", 3));
/// let changes = observer.take().unwrap();
/// assert_eq!(changes.epoch, graph.epoch());
/// assert_eq!((changes.list[0].old.as_deref(), changes.list[0].new.as_deref()), (Some(&1), Some(&3)));
/// assert!(observer.take().is_none());
/// ```
pub struct Observer<K, V> {
    graph: Graph,
    set: LiveSet<K, V>,
    id: u64,
    signal: Arc<Signal>,
}

impl<K: Key, V: Send + Sync + 'static> Observer<K, V> {
    pub(crate) fn new(graph: Graph, set: LiveSet<K, V>, id: u64, signal: Arc<Signal>) -> Self {
        Self { graph, set, id, signal }
    }

    /// Takes the changes since the last call; `None` if there are none.
    pub fn take(&mut self) -> Option<Changes<K, V>> {
        check_outside();
        if !self.signal.is_raised() {
            return None;
        }
        take(&mut self.graph.shared.lock(), &self.set, self.id)
    }

    /// Takes the changes since the last call, with all collections at the same epoch.
    pub fn take_with_snapshot(&mut self) -> Option<(Changes<K, V>, LiveSnapshot)> {
        check_outside();
        if !self.signal.is_raised() {
            return None;
        }
        let mut engine = self.graph.shared.lock();
        let changes = take(&mut engine, &self.set, self.id)?;
        Some((changes, LiveSnapshot::new(&mut engine, self.set.handle().graph())))
    }

    /// Waits for changes and takes them. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Changes<K, V> {
        loop {
            if let Some(changes) = self.take() {
                return changes;
            }
            self.signal.raised().await;
        }
    }

    /// Waits for changes and takes them, with all collections at the same epoch. Dropping the future loses nothing.
    pub async fn next_with_snapshot(&mut self) -> (Changes<K, V>, LiveSnapshot) {
        loop {
            if let Some(next) = self.take_with_snapshot() {
                return next;
            }
            self.signal.raised().await;
        }
    }
}

fn take<K: Key, V: Send + Sync + 'static>(
    engine: &mut Engine,
    set: &LiveSet<K, V>,
    id: u64,
) -> Option<Changes<K, V>> {
    let epoch = engine.epoch;
    let list = engine.nodes.store_mut::<K, V>(set.handle().slot()).take(id)?;
    Some(Changes { epoch, list })
}

impl<K, V> Drop for Observer<K, V> {
    fn drop(&mut self) {
        self.graph.garbage().push(Ended::Observer(self.set.handle().place(), self.id));
    }
}

impl<K, V> fmt::Debug for Observer<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Observer").field(&self.set).finish()
    }
}
