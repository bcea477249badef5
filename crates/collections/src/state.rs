//! [`GraphState`]: a graph for diagnosis.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::Graph;

/// A graph for diagnosis: its collections, in the order in which they advance.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GraphState {
    /// The last epoch.
    pub epoch: u64,
    /// Whether the first content of every input has been computed.
    pub synced: bool,
    /// The collections.
    pub collections: Vec<LiveSetState>,
}

/// A collection of a graph, for diagnosis.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LiveSetState {
    /// The name.
    pub name: String,
    /// The number of entries.
    pub len: usize,
    /// The number of reads of it that functions of other collections depend on.
    pub dependencies: usize,
    /// How often its function was computed. Debug builds do each computation twice and count it once.
    pub computed: u64,
    /// How often its function has panicked.
    pub panics: u64,
    /// The number of entries that are out of date or absent because a function has panicked: its own, or that of one of its indexes.
    pub failed: usize,
    /// One of the entries for which its function has panicked, and the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<(String, String)>,
    /// The time in its function and the bookkeeping of it. Small epochs are sampled, so it is an estimate.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub time: Duration,
}

fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Graph {
    /// Returns the state for diagnosis.
    ///
    /// ```
    /// use client_rs_collections::Graph;
    ///
    /// let graph = Graph::new();
    /// let numbers = graph.constant("numbers", [(1, 10), (2, 20)]);
    /// let _doubles = graph.map("doubles", &numbers, |_, value, _| 2 * **value);
    /// let state = graph.state();
    /// assert_eq!((state.collections[1].name.as_str(), state.collections[1].computed), ("doubles", 2));
    /// ```
    pub fn state(&self) -> GraphState {
        let engine = self.lock();
        let mut collections: Vec<_> = engine
            .nodes
            .entries
            .iter()
            .filter_map(|entry| {
                let node = entry.node.as_ref()?;
                let (store, work) = (node.store(), node.work());
                let failed = node.failed(&engine.nodes);
                let state = LiveSetState {
                    name: store.name().to_owned(),
                    len: store.len(),
                    dependencies: store.edges(),
                    computed: work.computed,
                    panics: work.panics,
                    failed: failed.rows + store.failed(),
                    failure: failed.first,
                    time: Duration::from_nanos(work.nanos),
                };
                Some((entry.order, state))
            })
            .collect();
        collections.sort_by_key(|(order, _)| *order);
        GraphState {
            epoch: engine.epoch,
            synced: self.has_synced(),
            collections: collections.into_iter().map(|(_, state)| state).collect(),
        }
    }
}
